"""The proof: public formats by which anyone checks a log, out of nothing but the standard library.

formats.py     tree, notes, heads and policies, checked: what a sceptic reads first
points.py      the points of a key's curve: what a sceptic reads with it
lines.py       a line's one form, read: what a sceptic reads with it
wire.py        which form a log has, and which rules it holds to: what a sceptic reads with it
acts.py        who has to have signed an act, checked: what a sceptic reads next
policy.py      whose signature counts: what a sceptic reads with it
pins.py        officials' keys and acts, held to a policy: what a sceptic reads with it
hashes.py      the hashes of lines, beside a log: what a sceptic reads third
heads.py       what lies beside a log, held to its lines: what a sceptic reads with it
table.py       what a check says in the end, row by row: what a sceptic reads fourth
verifier.py    an exported log, checked: what a sceptic reads last, and runs
seals.py       what is sealed in lines, and opened
disclosures.py texts shown to one reader
tree.py        proofs of inclusion and consistency, made
notes.py       keys and signed notes, made
receipts.py    one event's proof as a file
witness.py     cosigning, and never both sides of a fork
fraud.py       two signed histories of one event as one proof
tiles.py       the tree as files for a static host
hpke.py        sealing to a public key, and the keys of readers
passphrases.py bytes sealed with a passphrase
keyfiles.py    private keys on the machine of their holder

Signatures and sealing are the package `cryptography`'s. What is wrong raises `formats.Invalid`,
whose text is one line.
"""

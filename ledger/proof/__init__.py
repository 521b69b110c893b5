"""The proof: public formats by which anyone checks a log, with the standard library only.

README.md names the files that a sceptic reads, in order. `notes` and `evidence` make proofs,
`ciphers` and `disclosures` seal and open. Signatures and sealing are the package `cryptography`'s.
A check that fails raises `formats.Invalid`, whose text is one line.
"""

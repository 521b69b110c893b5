"""The proof: public formats by which anyone checks a log, out of nothing but the standard library.

What a sceptic reads stands here, in the order that README.md names; what makes proofs is in
`evidence`, what seals and opens in `ciphers`. Signatures and sealing are the package
`cryptography`'s. What is wrong raises `formats.Invalid`, whose text is one line.
"""

"""The ports: where the hall is reached, and the limits of connections.

server.py        the port, the addresses of this machine, the owner's browser, and the end
numbers.py       the numbers of this machine in its networks, and the code of an address
connections.py   uvicorn on one port and a second one, and how many connections there may be
certificates.py  the hall's own certificate
"""

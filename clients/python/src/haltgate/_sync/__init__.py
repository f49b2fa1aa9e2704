"""The blocking client. All of it but `transport` is made from the one for asyncio: see twin.py."""

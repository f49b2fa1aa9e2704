"""The client for asyncio. All of it but `transport` is also the source of the blocking client: see twin.py."""

"""What the tests need beside the client: real gates, and relays in front of them."""

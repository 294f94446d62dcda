//! The loopback media server.

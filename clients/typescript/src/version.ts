/** The version of this package, which goes with the server's. */
export const VERSION = "0.1.0";

/**
 * haltgate for browsers, over gRPC-Web.
 *
 * @packageDocumentation
 */

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { authorising, Client, type ClientOptions } from "./client.js";
import { targetOf } from "./target.js";

export * from "./surface.js";

/** What a connection from a browser may be made with. */
export interface ConnectOptions extends ClientOptions {
  /** `http://HOST:PORT` or `https://HOST`. Default: where the page comes from. */
  readonly target?: string | undefined;
}

/**
 * A gate.
 *
 * @throws {TypeError} the target cannot be read, is a Unix socket, or the token would be sent in the clear.
 */
export function connect(options: ConnectOptions = {}): Client {
  const { baseUrl, socket, open } = targetOf(options.target ?? globalThis.location.origin);
  if (socket !== undefined) {
    throw new TypeError("a browser cannot use a Unix socket");
  }
  const interceptors = authorising(options, open);
  return new Client(
    createGrpcWebTransport({ baseUrl, useBinaryFormat: true, interceptors }),
    options,
    () => {},
  );
}

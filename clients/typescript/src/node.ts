/**
 * haltgate for Node: may this tool call run?
 *
 * @packageDocumentation
 */

import { connect as dial } from "node:net";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { authorising, Client, type ClientOptions } from "./client.js";
import { DEFAULT_TARGET, targetOf } from "./target.js";
import { VERSION } from "./version.js";

export * from "./surface.js";

/** What a connection from Node may be made with. */
export interface ConnectOptions extends ClientOptions {
  /** `HOST:PORT`, `http://…`, `https://…` or `unix:/PATH`. Default: `HALTGATE_TARGET`, else 127.0.0.1:7557. */
  readonly target?: string | undefined;
  /** For `https://`. */
  readonly tls?:
    | {
        /** Authorities (PEM) to trust in place of those that Node trusts. */
        readonly ca?: string | Buffer | undefined;
        /** A certificate (PEM, with its chain) to show, and its key. */
        readonly cert?: string | Buffer | undefined;
        readonly key?: string | Buffer | undefined;
      }
    | undefined;
}

/** Milliseconds after which a connection with requests under way is asked whether it still lives. */
const PING_EVERY = 30_000;

/**
 * A gate. The connection is made with the first request.
 *
 * @throws {TypeError} the target cannot be read, or the token would be sent in the clear.
 */
export function connect(options: ConnectOptions = {}): Client {
  const { baseUrl, socket, open } = targetOf(options.target ?? process.env.HALTGATE_TARGET ?? DEFAULT_TARGET);
  const { ca, cert, key } = options.tls ?? {};
  const nodeOptions = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(socket === undefined ? {} : { createConnection: () => dial(socket) }),
  };
  const sessionManager = new Http2SessionManager(baseUrl, { pingIntervalMs: PING_EVERY }, nodeOptions);
  const transport = createGrpcTransport({
    baseUrl,
    sessionManager,
    interceptors: [
      ...authorising(options, open),
      (next) => (request) => {
        request.header.set("user-agent", `haltgate-typescript/${VERSION} node/${process.versions.node}`);
        return next(request);
      },
    ],
  });
  return new Client(transport, options, () => sessionManager.abort());
}

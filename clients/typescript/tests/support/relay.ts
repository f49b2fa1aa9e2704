// Ends TLS in front of a gate, and notes what it was sent with: for what a gate on loopback does not ask for.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
} from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const KEPT_TO_ONE_HOP = ["connection", "keep-alive", "transfer-encoding", "upgrade", "proxy-connection"];

export class Relay {
  readonly seen: IncomingHttpHeaders[] = [];
  target = "";
  private readonly sessions = new Set<ServerHttp2Session>();

  private constructor(
    readonly ca: Buffer,
    private readonly listener: Http2SecureServer,
    private readonly upstream: ClientHttp2Session,
  ) {}

  static async open(address: string): Promise<Relay> {
    const { key, cert } = await certificate();
    const upstream = connect(`http://${address}`);
    const listener = createSecureServer({ key, cert });
    const relay = new Relay(cert, listener, upstream);
    listener.on("session", (session) => relay.sessions.add(session));
    listener.on("stream", (stream, headers) => {
      relay.seen.push(headers);
      const sent = Object.entries(headers).filter(([name]) => !KEPT_TO_ONE_HOP.includes(name));
      const request = upstream.request({
        ...Object.fromEntries(sent),
        ":authority": address,
        ":scheme": "http",
      });
      stream.pipe(request);
      stream.on("error", () => request.close());
      request.on("error", () => stream.close());
      let trailers: IncomingHttpHeaders = {};
      request.on("response", ({ ...response }, flags) => {
        // END_STREAM: the headers are all there is.
        const endStream = (flags & 1) === 1;
        stream.respond(response, { endStream, waitForTrailers: !endStream });
        stream.on("wantTrailers", () => stream.sendTrailers(trailers));
        if (!endStream) {
          request.pipe(stream);
        }
      });
      request.on("trailers", (given) => {
        trailers = given;
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const bound = listener.address();
    relay.target = `https://localhost:${typeof bound === "object" ? bound?.port : ""}`;
    return relay;
  }

  async close(): Promise<void> {
    this.upstream.destroy();
    for (const session of this.sessions) {
      session.destroy();
    }
    await new Promise((resolve) => this.listener.close(resolve));
  }
}

async function certificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "haltgate-certificate-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const kind = [
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ];
    await promisify(execFile)("openssl", ["req", ...kind, ...names, "-keyout", key, "-out", cert]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Where a gate listens, as people write it, and who could read what is sent there.

/** A target that was read. */
export interface Target {
  /** For the transport: `http://HOST:PORT` or `https://HOST:PORT`. */
  readonly baseUrl: string;
  /** The path of a Unix socket. Undefined for TCP. */
  readonly socket: string | undefined;
  /** Whether what is sent can be read on the way to another machine. */
  readonly open: boolean;
}

/** Where a gate listens unless told otherwise. */
export const DEFAULT_TARGET = "127.0.0.1:7557";

/** Reads `HOST:PORT`, `http://…`, `https://…` or `unix:/PATH`. Throws a `TypeError` that says what to write. */
export function targetOf(text: string): Target {
  const wrong = new TypeError(
    `"${text}" is no target: write HOST:PORT such as ${DEFAULT_TARGET}, http://HOST:PORT, https://HOST or unix:/PATH`,
  );
  if (text.startsWith("unix:")) {
    const socket = text.slice("unix:".length).replace(/^\/\/(?=\/)/, "");
    if (!socket.startsWith("/")) {
      throw wrong;
    }
    return { baseUrl: "http://localhost", socket, open: false };
  }
  const secure = text.startsWith("https://");
  const bare = !secure && !text.startsWith("http://");
  let url: URL;
  try {
    url = new URL(bare ? `http://${text}` : text);
  } catch {
    throw wrong;
  }
  const whole =
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  if (!whole || (bare && !/:\d+$/.test(text))) {
    throw wrong;
  }
  const host = url.hostname;
  const near = host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
  return { baseUrl: url.origin, socket: undefined, open: !secure && !near };
}

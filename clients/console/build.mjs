// Builds the page: `node build.mjs [FOLDER]`, by default into dist/. The same sources and the same lock file give the
// same bytes.
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

const NOTICE = `/*! haltgate console. Contains @bufbuild/protobuf (Apache-2.0 AND BSD-3-Clause), @connectrpc/connect and
@connectrpc/connect-web (Apache-2.0): https://github.com/bufbuild/protobuf-es, https://github.com/connectrpc/connect-es */`;

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts" },
  outdir: out,
  bundle: true,
  conditions: ["haltgate-source"],
  format: "iife",
  target: "es2022",
  charset: "utf8",
  minify: true,
  legalComments: "none",
  banner: { js: NOTICE },
  logLevel: "warning",
});
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/app.css" },
  outdir: out,
  minify: true,
  target: ["chrome120", "firefox121", "safari17.4"],
  logLevel: "warning",
});
await copyFile(join(here, "src/index.html"), join(out, "index.html"));
await copyFile(join(here, "src/icon.svg"), join(out, "icon.svg"));

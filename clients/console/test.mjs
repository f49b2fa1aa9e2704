// Runs the tests of one folder: `node test.mjs unit|browser [PATTERN]`. They are TypeScript, bundled one by one for the
// Node that runs this.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [folder = "unit", pattern = ""] = process.argv.slice(2);
const tests = (await readdir(join(here, "tests", folder)))
  .filter((name) => name.endsWith(".test.ts") && name.includes(pattern))
  .sort();
if (tests.length === 0) {
  console.error(`there is no test in tests/${folder} whose name holds "${pattern}"`);
  process.exit(2);
}

// Inside the package, so that what is not bundled is found.
const out = await mkdtemp(join(here, ".tests-"));
let status = 1;
try {
  await build({
    absWorkingDir: here,
    entryPoints: tests.map((name) => join("tests", folder, name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: false,
    packages: "bundle",
    external: ["node:*", "playwright-core", "axe-core", "@connectrpc/connect-node"],
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
  });
  const files = tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  const run = spawnSync(
    process.execPath,
    ["--enable-source-maps", "--test", "--test-timeout=900000", "--test-concurrency=1", ...files],
    {
      stdio: "inherit",
      env: { ...process.env, CONSOLE_ROOT: here },
    },
  );
  status = run.status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
process.exit(status);

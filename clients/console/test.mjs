// Runs the tests of one folder: `node test.mjs unit|browser [FILE [NAME]]`, of the files whose name holds FILE, the tests
// that the regular expression NAME fits. They are TypeScript, bundled for the Node that runs this.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [folder = "unit", file = "", name = ""] = process.argv.slice(2);
const tests = (await readdir(join(here, "tests", folder)))
  .filter((entry) => entry.endsWith(".test.ts") && entry.includes(file))
  .sort();
if (tests.length === 0) {
  console.error(`there is no test in tests/${folder} whose name holds "${file}"`);
  process.exit(2);
}

// Inside the package, so that what is not bundled is found.
const out = await mkdtemp(join(here, ".tests-"));
let status = 1;
try {
  await build({
    absWorkingDir: here,
    entryPoints: tests.map((entry) => join("tests", folder, entry)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    conditions: ["haltgate-source"],
    splitting: false,
    packages: "bundle",
    external: ["node:*", "playwright-core", "axe-core", "@connectrpc/connect-node"],
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
  });
  const files = tests.map((entry) => join(out, entry.replace(/\.ts$/, ".mjs")));
  const options = ["--enable-source-maps", "--test-timeout=900000", "--test-concurrency=1"];
  if (name !== "") {
    options.push(`--test-name-pattern=${name}`);
  }
  const run = spawnSync(process.execPath, ["--test", ...options, ...files], {
    stdio: "inherit",
    env: { ...process.env, CONSOLE_ROOT: here },
  });
  status = run.status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
process.exit(status);

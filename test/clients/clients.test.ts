import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { basic } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { DRIVERS, PYTHON_DRIVER } from "./drivers.ts";

const PACKAGES = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.99.0",
  "orval@8.38.0",
  "typescript@5.9.3",
  "@types/node@26.6.6",
];
const PYTHON_PACKAGES = ["openapi-python-client==0.29.1", "mypy==2.4.1"];
const COMPILER = [
  "--strict",
  "--skipLibCheck",
  "--target",
  "es2022",
  "--module",
  "commonjs",
  "--moduleResolution",
  "node10",
];

let service: TestService;
let directory: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  directory = await mkdtemp(join(tmpdir(), "pointkeeper-clients-"));
  for (const id of ["c1", "c2", "c3", "c4"]) {
    expect((await service.client.put(`/api/storefront/customers/${id}`, { name: "Hanako" })).status).toBe(201);
  }
  await writeFile(join(directory, "openapi.json"), (await service.client.get("/openapi.json")).text);
  await writeFile(join(directory, "package.json"), '{"private": true}');
  await run("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...PACKAGES]);
});

afterAll(async () => {
  await service?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

async function run(file: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, SERVICE_URL: service.url, SERVICE_AUTHORIZATION: basic(service.credential) };
  const { stdout } = await promisify(execFile)(file, args, { cwd: directory, env, maxBuffer: 50_000_000 }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${file} ${args.join(" ")}: ${error.message}\n${error.stdout?.slice(-4_000)}`);
    },
  );
  return stdout;
}

const bin = (name: string) => join(directory, "node_modules", ".bin", name);

const GENERATORS: Readonly<Record<string, () => Promise<unknown>>> = {
  "openapi-typescript": () => run(bin("openapi-typescript"), ["openapi.json", "-o", "openapi-typescript/types.ts"]),
  "hey-api": () => run(bin("openapi-ts"), ["-i", "openapi.json", "-o", "hey-api", "-c", "@hey-api/client-fetch"]),
  orval: async () => {
    const output = { target: "orval/client.ts", client: "fetch", baseUrl: service.url };
    const config = { pointkeeper: { input: "openapi.json", output } };
    await writeFile(join(directory, "orval.config.cjs"), `module.exports = ${JSON.stringify(config)};\n`);
    await run(bin("orval"), ["--config", "orval.config.cjs"]);
  },
};

test.each(Object.keys(GENERATORS))("%s makes a client that compiles strictly and works", async (name) => {
  await GENERATORS[name]?.();
  await writeFile(join(directory, `drive-${name}.ts`), DRIVERS[name] ?? "");
  await run(bin("tsc"), [...COMPILER, "--types", "node", "--outDir", `out-${name}`, `drive-${name}.ts`]);
  await run(process.execPath, [join(`out-${name}`, `drive-${name}.js`)]);
});

test("openapi-python-client makes a client that mypy accepts and works", async () => {
  await run("python3", ["-m", "venv", "venv"]);
  const python = join(directory, "venv", "bin", "python");
  await run(python, ["-m", "pip", "install", "-q", ...PYTHON_PACKAGES]);
  const args = ["generate", "--path", "openapi.json", "--output-path", "pointkeeper", "--meta", "none"];
  const said = await run(join(directory, "venv", "bin", "openapi-python-client"), args);
  expect(said).not.toMatch(/WARNING parsing|omitted/);
  await writeFile(join(directory, "drive.py"), PYTHON_DRIVER);
  await run(python, ["-m", "compileall", "-q", "pointkeeper"]);
  await run(python, ["-m", "mypy", "pointkeeper", "drive.py"]);
  await run(python, ["drive.py"]);
});

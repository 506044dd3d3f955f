import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import { makeFolder, spawnService } from "../test/support/service-process.ts";

// npm run test:python: tests the Python client in a separate environment, against a service of this tree. Needs python3 and PyPI.
const ROOT = join(import.meta.dirname, "..");
const TOOLS = ["pytest==8.4.2", "ruff==0.14.0", "mypy==1.18.2"];
const CREDENTIAL = { key: "pk_python", secret: "secret-of-the-python-tests-0123456789abcdef" };

const folder = await makeFolder();
const work = join(folder.path, "python");
cpSync(join(ROOT, "packages/python"), work, { recursive: true });
const bin = join(folder.path, "venv/bin");

async function run(file: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = spawn(file, args, { cwd: work, stdio: "inherit", env: { ...process.env, ...env } });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}

try {
  await run("python3", ["-m", "venv", join(folder.path, "venv")]);
  await run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", ".", ...TOOLS]);
  await run(join(bin, "ruff"), ["check", "src"]);
  await run(join(bin, "mypy"), []);
  const port = await freePort();
  const service = await spawnService({
    PORT: String(port),
    POINTKEEPER_DATA_DIR: join(folder.path, "data"),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
  });
  try {
    const { key, secret } = CREDENTIAL;
    await run(join(bin, "pytest"), ["-q"], {
      POINTKEEPER_URL: service.url,
      POINTKEEPER_KEY: key,
      POINTKEEPER_SECRET: secret,
    });
  } finally {
    await service.stop();
  }
} finally {
  await folder.remove();
}

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import { makeFolder, spawnService } from "../test/support/service-process.ts";

// npm run test:packages: tests the packed TypeScript client in several runtimes, and the Bruno collection, against a service of this tree. Needs the
// npm registry.
const ROOT = join(import.meta.dirname, "..");
const CREDENTIAL = { key: "pk_packages", secret: "secret-of-the-package-tests-0123456789abcdef" };
const IMPORT = 'import { Pointkeeper, PointkeeperError, verifyWebhook } from "@pointkeeper/client";\n';
const BODY = `const client = new Pointkeeper({ baseUrl, key, secret });
await client.customers.put(customer, {});
await client.pointAllotments.create({ customer_id: customer, point_value: 5 });
let count = 0;
for await (const one of client.pointAllotments.listOfCustomer(customer)) count += one.point_value;
const refused = await verifyWebhook({ headers: {}, body: "{}" }, "whsec_AAAA").catch((error) => error.code);
const wrong = await client.customers.get("nobody").catch((error) => error instanceof PointkeeperError && error.status);
if (count !== 5 || refused !== "missing_header" || wrong !== 404) throw new Error([count, refused, wrong].join());
`;
const PROGRAM = `${IMPORT}const [baseUrl, key, secret, customer] = globalThis.Deno?.args ?? process.argv.slice(2);\n${BODY}`;
const WORKERD = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (modules = [(name = "worker", esModule = embed "bundle.mjs")], compatibilityDate = "2026-01-01")),
  (name = "internet", network = (allow = ["local"])),
]);
`;

const folder = await makeFolder();
const work = join(folder.path, "work");
const env = { ...process.env, npm_config_loglevel: "error", npm_config_fund: "false", npm_config_audit: "false" };

async function run(cwd: string, file: string, ...args: string[]): Promise<void> {
  const child = spawn(file, args, { cwd, stdio: "inherit", env });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`${file} ${args.slice(0, 4).join(" ")} ended with ${code}`);
}

async function runRuntimes(url: string): Promise<void> {
  writeFileSync(join(work, "program.mjs"), PROGRAM);
  const args = ["program.mjs", url, CREDENTIAL.key, CREDENTIAL.secret];
  const npx = (tool: string) => ["npx", "--yes", tool] as const;
  const runtimes = {
    node: [process.execPath],
    deno: [...npx("deno@2.9.6"), "run", "--allow-net", "--allow-read", "--allow-env"],
    bun: [...npx("bun@1.4.5"), "run"],
  };
  for (const [name, [file = "", ...before]] of Object.entries(runtimes)) {
    await run(work, file, ...before, ...args, `of-${name}`);
    console.log(`${name}: ok`);
  }
  await runWorker(url);
}

/** In the runtime of Cloudflare's workers, which has no modules of Node: there the program is one file. */
async function runWorker(url: string): Promise<void> {
  const values = JSON.stringify([url, CREDENTIAL.key, CREDENTIAL.secret, "of-worker"]);
  const test = `async test() {\nconst [baseUrl, key, secret, customer] = ${values};\n${BODY}}`;
  writeFileSync(join(work, "worker.mjs"), `${IMPORT}export default { ${test} };\n`);
  writeFileSync(join(work, "worker.capnp"), WORKERD);
  const bundler = join(ROOT, "node_modules/rolldown/bin/cli.mjs");
  await run(work, process.execPath, bundler, "worker.mjs", "--file", "bundle.mjs", "--format", "esm");
  await run(work, "npx", "--yes", "workerd@1.20261117.1", "test", "worker.capnp");
  console.log("worker: ok");
}

try {
  mkdirSync(work);
  await run(join(ROOT, "packages/client"), "npm", "pack", "--pack-destination", work);
  const packed = readdirSync(work).find((name) => name.endsWith(".tgz"));
  if (packed === undefined) throw new Error("npm pack made no package");
  await run(work, "npx", "--yes", "publint@0.3.25", packed, "--strict");
  await run(work, "npx", "--yes", "@arethetypeswrong/cli@0.18.5", packed, "--profile", "esm-only");
  writeFileSync(join(work, "package.json"), '{ "private": true, "type": "module" }');
  await run(work, "npm", "install", `./${packed}`);
  const port = await freePort();
  const service = await spawnService({
    PORT: String(port),
    POINTKEEPER_DATA_DIR: join(folder.path, "data"),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  });
  try {
    await runRuntimes(service.url);
    cpSync(join(ROOT, "docs/bruno"), join(work, "bruno"), { recursive: true });
    const vars = { baseUrl: service.url, ...CREDENTIAL };
    const settings = Object.entries(vars).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
    const requests = [
      "service/live.bru",
      "tiers/list-the-tier-rules.bru",
      "customers/create-or-change-a-customer.bru",
      "point-allotments/create-an-allotment.bru",
      "point-allotments/allotments-of-the-store.bru",
      "point-balances/set-a-point-balance.bru",
      "coupons/issue-a-coupon.bru",
      "coupons/read-a-coupon.bru",
      "orders/order-point-data.bru",
      "reports/the-allotments-behind-a-figure-of-points.bru",
      "intake/receive-neutral-events-of-any-platform-or-script.bru",
    ];
    await run(
      join(work, "bruno"),
      "npx",
      "--yes",
      "@usebruno/cli@4.1.0",
      "run",
      ...requests,
      "--env",
      "local",
      ...settings,
    );
  } finally {
    await service.stop();
  }
} finally {
  await folder.remove();
}

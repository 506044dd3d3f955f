import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MoveStore, startMoveStore } from "../../support/move-store.ts";
import { runCli } from "../../support/service-process.ts";

// Files as each app exports them and as spreadsheets of several countries save them again, with all that such files have been seen to contain.

let store: MoveStore;
beforeAll(async () => {
  store = await startMoveStore();
});
afterAll(() => store.stop());

/** A member as a row says; what it lacks is an empty cell. */
interface Said {
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
  readonly points?: string;
  readonly expires?: string;
  readonly birthday?: string;
  readonly tier?: string;
}

interface VendorFile {
  readonly vendor: string;
  readonly header: string;
  row(said: Said): readonly (string | undefined)[];
  /** How the file writes 2031-03-31. */
  readonly day: string;
  /** A birthday on 24 October 1990 as the app writes it, and in another order. */
  readonly birthdays: readonly [string, string] | null;
  readonly expires: boolean;
  /** Whether an id is the platform's. */
  readonly ids: boolean;
  readonly hasFractions?: boolean;
  readonly format: { readonly separator: "," | ";" | "\t"; readonly lineEnd: "\n" | "\r\n"; readonly bom: boolean };
}

const UNIX = { separator: ",", lineEnd: "\n", bom: false } as const;
const EXCEL = { separator: ",", lineEnd: "\r\n", bom: true } as const;
const EUROPE = { separator: ";", lineEnd: "\r\n", bom: true } as const;
const ISO = ["1990-10-24", "24/10/1990"] as const;

const FILES: readonly VendorFile[] = [
  {
    vendor: "smile",
    header:
      "First name,Last name,Email,Points Balance,Member status,VIP tier,Date of birth,Accepts marketing,Referral URL",
    row: ({ name, email, points, tier, birthday }) => [
      name,
      "",
      email,
      points,
      "member",
      tier,
      birthday,
      "true",
      "http://i.example/a",
    ],
    ...{ day: "2031-03-31", birthdays: ISO, expires: false, ids: false, format: EXCEL },
  },
  {
    vendor: "loyaltylion",
    header:
      "id,merchant_id,email,name,points_approved,points_pending,points_spent,points_expire_at,loyalty_tier,birthday",
    row: ({ id, email, name, points, expires, tier, birthday }) => [
      "501",
      id,
      email,
      name,
      points,
      "30",
      "0",
      expires,
      tier,
      birthday,
    ],
    ...{ day: "2031-03-31T00:00:00Z", birthdays: ISO, expires: true, ids: true, format: UNIX },
  },
  {
    vendor: "yotpo",
    header: "Full Name,First Name,Last Name,Email,Points Balance,Points Spent,Birthday (MM/DD) or (MM/DD/YYYY)",
    row: ({ name, email, points, birthday }) => [name, "", "", email, points, "0", birthday],
    ...{ day: "03/31/2031", birthdays: ["10/24/1990", "24/10/1990"], expires: false, ids: false, format: EUROPE },
  },
  {
    vendor: "rivo",
    header: "Email,Points Balance,Birthdate,VIP Tier,Activation Date,Credits Balance",
    row: ({ email, points, birthday, tier }) => [email, points, birthday, tier, "2024-01-15", "12.50"],
    ...{ day: "2031-03-31", birthdays: ISO, expires: false, ids: false, format: EXCEL },
  },
  {
    vendor: "bon",
    header: "Shopify Customer IDs,Customer Emails,Points",
    row: ({ id, email, points }) => [id, email, points],
    ...{ day: "2031-03-31", birthdays: null, expires: false, ids: true, format: UNIX },
  },
  {
    vendor: "joy",
    header: "Email,Name,Membership Type,Points,Birthday(MM/DD),Created Date",
    row: ({ email, name, tier, points, birthday }) => [email, name, tier, points, birthday, "2024-02-01"],
    ...{ day: "03/31/2031", birthdays: ["10/24", "24/10"], expires: false, ids: false, format: EXCEL },
  },
  {
    vendor: "stamped",
    header: "first_name,last_name,email,points,birthday,vip_tier,vip_tier_end_date",
    row: ({ name, email, points, birthday, tier }) => [name, "", email, points, birthday, tier, ""],
    ...{ day: "2031-03-31", birthdays: ["1990-10-24", "10/24/1990"], expires: false, ids: false, format: EUROPE },
  },
  {
    vendor: "growave",
    header: "Customer ID,Email,Points,First Name,Last Name,Birthdate (YYYY-MM-DD)",
    row: ({ id, email, points, name, birthday }) => [id, email, points, name, "", birthday],
    ...{ day: "2031-03-31", birthdays: ISO, expires: false, ids: true, hasFractions: true, format: EUROPE },
  },
  {
    vendor: "easypoints",
    header: "顧客ID,メールアドレス,名前,ポイント残高,有効期限,会員ランク,誕生日",
    row: ({ id, email, name, points, expires, tier, birthday }) => [id, email, name, points, expires, tier, birthday],
    ...{ day: "2031年3月31日", birthdays: ["1990/10/24", "24/10/1990"], expires: true, ids: true, format: EXCEL },
  },
  {
    vendor: "pointkeeper",
    header: "storefront_customer_id\temail\tname\tpoint_balance\texpires_at\ttier\tbirthday",
    row: ({ id, email, name, points, expires, tier, birthday }) => [id, email, name, points, expires, tier, birthday],
    ...{ day: "2031-03-31", birthdays: ISO, expires: true, ids: true, format: { ...UNIX, separator: "\t" } },
  },
];

/** A file in the vendor's form, and the lines on which its rows begin. */
function written({ header, row, format }: VendorFile, rows: readonly (Said | string)[]) {
  const { separator, lineEnd, bom } = format;
  const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines: number[] = [];
  let content = header.replaceAll(/[,\t]/g, separator) + lineEnd;
  for (const each of rows) {
    lines.push(content.split(lineEnd).length + (content.match(/(?<!\r)\n/g)?.length ?? 0) * (lineEnd === "\n" ? 0 : 1));
    content +=
      (typeof each === "string"
        ? each
        : row(each)
            .map((cell) => quoted(cell ?? ""))
            .join(separator)) + lineEnd;
  }
  return { content: Buffer.from((bom ? "\uFEFF" : "") + content), lines };
}

describe.each(FILES)("a file of $vendor", (file) => {
  const { vendor, day, birthdays, expires, ids, hasFractions = false, format } = file;
  const { separator } = format;
  const at = (name: string) => `${name}@${vendor}.example`;
  const knownId = `77${FILES.indexOf(file)}`;
  const empties = separator.repeat(file.header.split(/[,\t]/).length - 1);
  const birthday = birthdays?.[0] ?? "";

  /** Every row, the points that it brings, and the field of its fault. */
  const rows: readonly { readonly said: Said | string; readonly points?: number; readonly fault?: string }[] = [
    {
      said: { email: at("Known").toUpperCase(), points: "1,200", expires: day, birthday, name: "Known, Here" },
      points: 1_200,
    },
    { said: { email: at("known"), points: "5" }, points: 5 },
    { said: { email: at("anh"), points: "1 300", name: 'Nguyen, "Anh"\nLan', tier: "Gold", birthday }, points: 1_300 },
    { said: "" },
    { said: { email: at("hana"), points: "0", name: "@hana" }, points: 0 },
    { said: empties },
    { said: { email: at("full"), points: "１２０", name: "山田 太郎", expires: day }, points: 120 },
    { said: { email: at("minus"), points: "-50" }, fault: "points" },
    { said: { email: at("half"), points: "3,56" }, ...(hasFractions ? { points: 4 } : { fault: "points" }) },
    { said: { email: at("unclear"), points: "1.200" }, fault: "points" },
    { said: { email: "no address", points: "10" }, fault: "email" },
    { said: { points: "10", name: "Without an address" }, fault: "email" },
    ...(ids ? [{ said: { id: `88${FILES.indexOf(file)}`, points: "70" }, points: 70 }] : []),
    ...(expires
      ? [
          { said: { email: at("past"), points: "10", expires: day.replace("2031", "2020") }, fault: "expires_at" },
          { said: { email: at("far"), points: "10", expires: "9999-12-31" }, fault: "expires_at" },
          { said: { email: at("order"), points: "10", expires: "31.12.2031" }, fault: "expires_at" },
          { said: { email: at("nothing"), points: "0", expires: day.replace("2031", "2020") }, points: 0 },
        ]
      : []),
    ...(birthdays === null
      ? []
      : [{ said: { email: at("born"), points: "10", birthday: birthdays[1] }, fault: "birthday" }]),
    { said: ids ? { id: "Total", points: "2,705" } : { email: "Total", points: "2,705" }, fault: "email" },
  ];
  const { content, lines } = written(
    file,
    rows.map(({ said }) => said),
  );
  const valid = rows.filter(({ points }) => points !== undefined);
  const faulty = rows.flatMap(({ fault }, i) => (fault === undefined ? [] : [{ line: lines[i], fault }]));
  const sum = valid.reduce((points, row) => points + (row.points ?? 0), 0);

  test("is summed as it is, faults are named, and the whole of it is imported and undone", async () => {
    await store.client.put(`/api/storefront/customers/${knownId}`, { email: at("known"), name: "Known" });
    await store.client.post("/api/storefront/point_allotments", { customer_id: knownId, point_value: 50 });

    const dry = await store.importFile(vendor, content, "--dry-run");
    expect(dry.code, dry.stderr).toBe(1);
    expect(dry.said).toMatchObject({
      ...{ rows: valid.length + faulty.length, valid_rows: valid.length, points: sum, members: valid.length - 1 },
      ...{ found_by_email: 1, created: valid.length - 2, fault_count: faulty.length },
    });
    const named: { line: number; field: string | null; code: string; detail: string }[] = dry.said.faults;
    for (const { line, fault } of faulty) {
      const found = named.filter((each) => each.line === line);
      expect(
        found.map(({ field }) => field),
        `line ${line}`,
      ).toEqual([fault]);
    }
    const born = named.find(({ code }) => code === "birthday_unclear");
    if (birthdays !== null) expect(born?.detail).toContain("The file seems to write days as");

    const done = await store.importFile(vendor, content, "--yes", "--skip-faults");
    expect([done.code, done.said?.rows_left_out], done.stderr).toEqual([0, 0]);
    expect(await store.balanceOf(knownId)).toBe(1_255);
    expect(await store.balanceOf(at("anh"))).toBe(1_300);
    expect(await store.balanceOf(at("minus"))).toBeUndefined();

    const undone = await store.undo(done.said.move);
    expect(undone.code, undone.stderr).toBe(0);
    expect(await store.balanceOf(knownId)).toBe(50);
    expect(await store.balanceOf(at("anh"))).toBeUndefined();
  });
});

test("after all of them the ledger verifies", async () => {
  const verified = await runCli(["verify"], store.env);
  expect(verified.code, verified.stdout).toBe(0);
});

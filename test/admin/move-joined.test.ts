import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { selectImport, selectTotals } from "../../src/imports/queries.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { type MemberMove, MOVE_KINDS, moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { undoMove } from "../../src/moving-in/undo-move.ts";
import { rivo } from "../../src/moving-in/vendors/rivo.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { exampleRuns } from "../support/example-runs.ts";
import { createMoveUploads, memberMove } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";
import { waitUntil } from "../support/wait-until.ts";

// Balances are set from another app's file while members whom it brings earn points, and become one with the shop's customers.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

const { pointsOf } = createMoveUploads(() => ({ service, manager }));
const BUSY = { check: "checking", import: "importing", undo: "undoing" } as const;
const work = async (uid: string, phase: "check" | "import" | "undo") => {
  await waitUntil(async () => (await selectImport(service.deps.db, uid)).state !== BUSY[phase]);
  return selectImport(service.deps.db, uid);
};

/** What happens while a move runs: before its members are created, before its points are read, after their check, or during their import. */
interface Meanwhile {
  readonly beforeMembers?: () => Promise<unknown>;
  readonly beforePoints?: () => Promise<unknown>;
  readonly afterCheck?: () => Promise<unknown>;
  readonly during?: () => Promise<unknown>;
  readonly of?: Partial<MemberMove>;
}

/** Imports a file that sets balances. Returns how many rows of points were left out, and how many points were given and taken. */
async function setBalances(rows: readonly string[], { of = {}, ...meanwhile }: Meanwhile) {
  const move: MemberMove = { ...memberMove(service, rows, "email,points_approved"), setsBalance: true, ...of };
  service.clock.advance({ seconds: 1 });
  const by = { uid: manager.uid, name: "M" };
  const onLeftOut = async () => {
    throw new Error("a row was left out before its points were posted");
  };
  let points = "";
  for (const kind of MOVE_KINDS) {
    if (kind === "customers") await meanwhile.beforeMembers?.();
    if (kind === "points") await meanwhile.beforePoints?.();
    const part = await moveKind(service.deps, move, kind, {
      ...{ by, onLeftOut },
      work: async (uid, phase) => {
        const isImport = kind === "points" && phase === "import";
        const [worked] = await Promise.all([work(uid, phase), isImport ? meanwhile.during?.() : undefined]);
        if (kind === "points" && phase === "check") await meanwhile.afterCheck?.();
        return worked;
      },
    });
    if (kind === "points") points = part?.uid ?? "";
  }
  const totals = (await selectTotals(service.deps.db, [points])).get(points)?.find(({ phase }) => phase === "import");
  const undo = () => undoMove(service.deps, moveUidOf(move), { by, work });
  return { left: (totals?.rowCount ?? 0n) - (totals?.validCount ?? 0n), added: totals?.pointsAdded, undo };
}

const idOf = async (email: string) => {
  const [row] = await service.deps.db.query<{ id: string }>(
    "select storefront_id as id from customer where email = $1",
    [email],
  );
  return row?.id ?? "";
};

async function give(customerId: string, points: number): Promise<void> {
  const body = { customer_id: customerId, point_value: points };
  expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

/** The shop's customer who appears with points of their own, and takes over the member with an address. */
async function appear(email: string, kept?: string): Promise<string> {
  const memberId = await idOf(email);
  const storefrontId = kept ?? (await makeCustomer(service.deps)).storefrontId;
  if (kept === undefined) await give(storefrontId, 100);
  await mergeInto(service.deps, memberId, storefrontId);
  return storefrontId;
}

test.each([["beforePoints"], ["afterCheck"]] as const)(
  "a member who becomes one with a new customer during the move gets the file's points beside theirs (%s)",
  async (when) => {
    const emails = ["joins", "stays", "none"].map((name) => `${name}@${when.toLowerCase()}.example`);
    const [joins = "", stays = "", none = ""] = emails;
    const done = await setBalances([`${joins},40`, `${stays},41`, `${none},0`], {
      [when]: async () => {
        await appear(joins);
        await appear(none);
      },
    });
    expect({ left: done.left, added: done.added }).toEqual({ left: 0n, added: 81n });
    expect(await Promise.all(emails.map(pointsOf))).toEqual([140, 41, 100]);
    await done.undo();
    expect(await Promise.all(emails.map(pointsOf))).toEqual([100, undefined, 100]);
  },
);

test("two members of the file who become one have the points of both", async () => {
  const done = await setBalances(["one@two.example,40", "two@two.example,30"], {
    afterCheck: async () => void (await appear("two@two.example", await appear("one@two.example"))),
  });
  expect(done.left).toBe(0n);
  expect(await pointsOf("one@two.example")).toBe(170);
});

test("points that a member earned before the row, or a customer who has the address by then, stay beside those of the file", async () => {
  const emails = ["platform@direct.example", "member@direct.example"];
  const [platform = "", member = ""] = emails;
  const done = await setBalances([`${platform},40`, `${member},41`], {
    beforeMembers: async () => give((await makeCustomer(service.deps, { email: platform })).storefrontId, 100),
    beforePoints: async () => give(await idOf(member), 10),
  });
  expect({ left: done.left, added: done.added }).toEqual({ left: 0n, added: 81n });
  expect(await Promise.all(emails.map(pointsOf))).toEqual([140, 51]);
  await done.undo();
  expect(await Promise.all(emails.map(pointsOf))).toEqual([100, 10]);
});

test("a customer of whom an earlier order arrives meanwhile has the balance of the file, which contains its points", async () => {
  const email = "history@direct.example";
  const done = await setBalances([`${email},40`], {
    beforeMembers: async () => {
      const { storefrontId } = await makeCustomer(service.deps, { email });
      const yen = { minor: 30_000, currency: "JPY" };
      const at = "2026-02-01T00:00:00Z";
      const payload = {
        ...{
          order_id: "of-before",
          customer_id: storefrontId,
          processed_at: at,
          paid_at: at,
          financial_status: "paid",
        },
        ...{ shop_currency: "JPY", taxes_included: true, lines: [{ line_id: "1", quantity: 1, unit_price: yen }] },
        fulfillments: [{ fulfillment_id: "1", status: "success", lines: [{ line_id: "1", quantity: 1 }] }],
      };
      const sent = await service.client.post("/intake/events", { type: "OrderPaid", occurred_at: at, payload });
      expect(sent.status).toBe(202);
      await processAllReceipts(service.deps);
      expect(await pointsOf(email)).toBe(300);
    },
  });
  expect(done.left).toBe(0n);
  expect(await pointsOf(email)).toBe(40);
});

/** What happens to two members of a file, with 40 and 30 points, and a customer who is newer than it. */
const group = fc.record({
  steps: fc.shuffledSubarray(["merge", "merge", "earn", "redeem"] as const, { minLength: 4 }),
  /** How many steps are before the points are read from the file. */
  early: fc.nat(3),
  /** How many steps are before the rows; null: all happen while they are imported. */
  before: fc.option(fc.nat(4)),
  /** The first one of the three becomes one with the second, and then these two with the last. */
  people: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  isLastKept: fc.boolean(),
  earner: fc.nat(2),
});
type Group = typeof group extends fc.Arbitrary<infer G> ? G : never;

/** Returns a function that does the next steps of a group, up to a number of them. */
function stepsOf({ steps, people, isLastKept, earner }: Group, ids: readonly string[]) {
  const [first = "", second = "", last = ""] = people.map((each) => ids[each] ?? "");
  const merges = [[first, second] as const, isLastKept ? ([second, last] as const) : ([last, second] as const)];
  const points = [100, -20]; // nobody redeems before earning
  let done = 0;
  return async (upTo: number) => {
    for (; done < upTo; done++) {
      const [removed, kept] = steps[done] === "merge" ? (merges.shift() ?? []) : [];
      if (removed !== undefined && kept !== undefined) await mergeInto(service.deps, removed, kept);
      else await give(ids[earner] ?? "", points.shift() ?? 0);
    }
  };
}

test("rows, merges, earning and redeeming give customers newer than the file one sum, in whatever order they come", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(group, { minLength: 8, maxLength: 8 }), async (groups) => {
      const run = ++runs;
      const emailsOf = (each: number) => [`a${each}@run${run}.example`, `b${each}@run${run}.example`];
      const acts: ((upTo: number) => Promise<void>)[] = [];
      const at = (of: (group: Group) => number) => async () => {
        for (const [each, one] of groups.entries()) await acts[each]?.(of(one));
      };
      const rows = groups.flatMap((_, each) => emailsOf(each).map((email, i) => `${email},${40 - i * 10}`));
      const lasts: string[] = [];
      const done = await setBalances(rows, {
        beforePoints: async () => {
          for (const [each, one] of groups.entries()) {
            const ids = [
              ...(await Promise.all(emailsOf(each).map(idOf))),
              (await makeCustomer(service.deps)).storefrontId,
            ];
            acts.push(stepsOf(one, ids));
            lasts.push(ids[0] ?? "");
          }
          await at(({ early }) => early)();
        },
        afterCheck: at(({ before }) => before ?? 0),
        during: at(({ before }) => before ?? 4),
      });
      await at(() => 4)();
      const balances = () => Promise.all(lasts.map((id) => shown(id)));
      expect(await balances()).toEqual(groups.map(() => 40 + 30 + 100 - 20));
      expect([done.left, done.added]).toEqual([0n, BigInt(groups.length * 70)]);
      await done.undo();
      expect(await balances()).toEqual(groups.map(() => 80));
    }),
    { numRuns: exampleRuns(2), endOnFailure: true },
  );
});

const shown = async (id: string): Promise<number> =>
  (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;

test("a customer who was there before the file keeps the balance, and so does one who got points from another file", async () => {
  const old = await makeCustomer(service.deps);
  await give(old.storefrontId, 500);
  service.clock.advance({ seconds: 1 });
  const done = await setBalances(["old@kept.example,40"], {
    afterCheck: () => appear("old@kept.example", old.storefrontId),
  });
  expect([done.left, await pointsOf("old@kept.example")]).toEqual([1n, 500]);

  for (const [at, of] of [{}, { vendor: rivo }].entries()) {
    const both = await setBalances([`twice${at}@kept.example,7`], {
      afterCheck: async () => {
        await setBalances([`twice${at}@kept.example,8`], { of });
        await appear(`twice${at}@kept.example`);
      },
    });
    expect([both.left, await pointsOf(`twice${at}@kept.example`)]).toEqual([1n, 108]);
  }
});

test.each([["before"], ["after"]])(
  "a balance is not set to which a merge brought back the points of a customer deleted %s the upload",
  async (when) => {
    const email = `kept@deleted-${when}.example`;
    const removed = await makeCustomer(service.deps);
    const survivor = await makeCustomer(service.deps, { email });
    await give(removed.storefrontId, 500);
    service.clock.advance({ seconds: 1 });
    const remove = () => service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, removed.storefrontId, "test"));
    if (when === "before") await remove();
    service.clock.advance({ seconds: 1 });
    const done = await setBalances([`${email},2`], {
      beforePoints: async () => {
        if (when === "after") await remove();
        await mergeInto(service.deps, removed.storefrontId, survivor.storefrontId);
      },
    });
    expect([done.left, await pointsOf(email)]).toEqual([1n, 500]);
  },
);

test("a balance is set if the merge was before the upload", async () => {
  const survivor = await makeCustomer(service.deps, { email: "kept@merged-before.example" });
  const removed = await makeCustomer(service.deps);
  await give(removed.storefrontId, 500);
  await mergeInto(service.deps, removed.storefrontId, survivor.storefrontId);
  service.clock.advance({ seconds: 1 });
  const done = await setBalances(["kept@merged-before.example,2"], {});
  expect([done.left, await pointsOf("kept@merged-before.example")]).toEqual([0n, 2]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { selectImport, selectTotals } from "../../src/imports/queries.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { type MemberMove, MOVE_KINDS, moveUidOf } from "../../src/moving-in/move.ts";
import { moveKind } from "../../src/moving-in/move-kind.ts";
import { undoMove } from "../../src/moving-in/undo-move.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { createMoveUploads, memberMove } from "../support/move-uploads.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

// Balances are set from another app's file while members whom it brings become one with the shop's customers.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(async () => {
  const lines: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => lines.push(line))).ok, lines.join("\n")).toBe(true);
  await service.stop();
});

const { pointsOf } = createMoveUploads(() => ({ service, manager }));
const BUSY = { check: "checking", import: "importing", undo: "undoing" } as const;
const work = async (uid: string, phase: "check" | "import" | "undo") => {
  await waitUntil(async () => (await selectImport(service.deps.db, uid)).state !== BUSY[phase]);
  return selectImport(service.deps.db, uid);
};

/** Something that happens while a move runs, before its points are read from the file, or between their check and their import. */
interface Meanwhile {
  readonly beforePoints?: () => Promise<unknown>;
  readonly afterCheck?: () => Promise<unknown>;
}

/** Imports a file that sets balances. Returns how many rows of points were left out, and how many points were given and taken. */
async function setBalances(rows: readonly string[], { beforePoints, afterCheck }: Meanwhile) {
  const move: MemberMove = { ...memberMove(service, rows, "email,points_approved"), setsBalance: true };
  service.clock.advance({ seconds: 1 });
  const by = { uid: manager.uid, name: "M" };
  const onLeftOut = async () => {
    throw new Error("a row was left out before its points were posted");
  };
  let points = "";
  for (const kind of MOVE_KINDS) {
    if (kind === "points") await beforePoints?.();
    const part = await moveKind(service.deps, move, kind, {
      ...{ by, onLeftOut },
      work: async (uid, phase) => {
        const worked = await work(uid, phase);
        if (kind === "points" && phase === "check") await afterCheck?.();
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

test("a customer who was there before the file keeps the balance, and so does one who got points from another file", async () => {
  const old = await makeCustomer(service.deps);
  await give(old.storefrontId, 500);
  service.clock.advance({ seconds: 1 });
  const done = await setBalances(["old@kept.example,40"], {
    afterCheck: () => appear("old@kept.example", old.storefrontId),
  });
  expect([done.left, await pointsOf("old@kept.example")]).toEqual([1n, 500]);

  const [first, second] = [["twice@kept.example,7"], ["twice@kept.example,8"]];
  const both = await setBalances(first ?? [], {
    afterCheck: async () => {
      await setBalances(second ?? [], {});
      await appear("twice@kept.example");
    },
  });
  expect([both.left, await pointsOf("twice@kept.example")]).toEqual([1n, 108]);
});

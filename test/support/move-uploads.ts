import { createHash } from "node:crypto";
import { expect } from "vitest";
import { selectByEmails } from "../../src/customers/customer-queries.ts";
import { columnsOf } from "../../src/moving-in/member.ts";
import type { MemberMove } from "../../src/moving-in/move.ts";
import { loyaltylion } from "../../src/moving-in/vendors/loyaltylion.ts";
import type { Answer } from "./client.ts";
import { balanceOf, settingsOf, upload } from "./csv.ts";
import type { TestService } from "./service.ts";
import type { AdminClient } from "./staff.ts";
import { waitUntil } from "./wait-until.ts";

type Data = Answer["body"];

/** Uploads files of LoyaltyLion by the dashboard's interface and waits for what is done with them. */
export interface MoveUploads {
  /** Uploads a file and has it checked. */
  checked(content: string, options?: object): Promise<Data>;
  recheck(data: Record<string, unknown>, options: object): Promise<Data>;
  imported(uid: string): Promise<Data>;
  /** Waits for a state. */
  until(uid: string, state: string): Promise<Data>;
  /** The points of the customer with an e-mail address; undefined: there is none. */
  pointsOf(email: string): Promise<number | undefined>;
}

export function createMoveUploads(of: () => { service: TestService; manager: AdminClient }): MoveUploads {
  const read = async (uid: string) => (await of().manager.get(`/imports/${uid}`)).body.data;
  const until = async (uid: string, state: string) => {
    await waitUntil(async () => (await read(uid)).state === state);
    return read(uid);
  };
  const recheck = async (data: Record<string, unknown>, options: object) => {
    const settings = settingsOf(data, { options: { ...(data["options"] as object), ...options } }); // cast: of the answer
    const begun = await of().manager.post(`/imports/${data["uid"]}/check`, settings);
    expect(begun.status, begun.text).toBe(200);
    return until(String(data["uid"]), "checked");
  };
  return {
    until,
    recheck,
    async checked(content, options = {}) {
      const { service, manager } = of();
      const uploader = { url: service.url, cookie: manager.cookie };
      const sent = await upload(uploader, content, { kind: "move", name: "members.csv" });
      expect(sent.status, sent.text).toBe(201);
      return recheck(sent.body.data, { vendor: "loyaltylion", ...options });
    },
    async imported(uid) {
      const started = await of().manager.post(`/imports/${uid}/start`, {});
      expect(started.status, started.text).toBe(200);
      return until(uid, "imported");
    },
    async pointsOf(email) {
      const { deps } = of().service;
      const [found] = (await selectByEmails(deps.db, [email])).get(email) ?? [];
      return found === undefined ? undefined : Number(await balanceOf(deps, found.storefrontId));
    },
  };
}

/** Returns the move of a file of LoyaltyLion, as the command reads it. */
export function memberMove(service: TestService, rows: readonly string[], firstRow: string): MemberMove {
  const bytes = Buffer.from(`${[firstRow, ...rows].join("\n")}\n`);
  const header = firstRow.split(",");
  const sha256 = createHash("sha256").update(bytes).digest();
  return {
    file: {
      name: "members.csv",
      open: async function* () {
        yield bytes;
      },
    },
    head: { encoding: "utf-8", separator: ",", header, sha256, lineCount: rows.length },
    ...{ vendor: loyaltylion, columns: columnsOf(loyaltylion, header) },
    ...{ setsBalance: false, again: false, keepTiersUntil: null, asOf: null, uploadedAt: service.clock.now() },
  };
}

import { existsSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, basic, createClient } from "../support/client.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { adminClient, cookieOf, STAFF_PASSWORD } from "../support/staff.ts";
import { type Cluster, CREDENTIAL } from "./cluster.ts";
import type { Journal } from "./journal.ts";

/** What a store does beside its requests, in the middle of the faults. Each tries again until it is done, for a while. */
export interface Chores {
  /** Imports a CSV file of points for these customers; false where it was not done in time, and its rows are not counted. */
  importFile(mark: string, customers: readonly string[]): Promise<boolean>;
  /** Two customers with points of their own become one. */
  merge(mark: string): Promise<boolean>;
  /** Moves the store's clock: what is due then (sweeps, tier checks, retries of deliveries) is done after it. */
  moveClock(by: Temporal.DurationLike): Promise<boolean>;
  verify(): Promise<boolean>;
  /**
   * Makes a backup of the store, which may fail as often as its connection is lost, restores it into a database of its own and verifies
   * that one. False: none came to its end in time. Throws where one does not hold.
   */
  backUp(folder: string): Promise<boolean>;
}

type Person = ReturnType<typeof adminClient>;

const OWNER = { email: "owner@store.example", name: "Owner", password: STAFF_PASSWORD };
const TRIES_MAX = 300;
const RETRY_MS = 100;
const BACKUP_TRIES = 20;
const ANSWER_CHARS = 300;
const MOVE_CLOCK = `insert into sandbox_clock as c (now_at)
values (now() + $1 * interval '1 hour')
on conflict (one) do update
set now_at = c.now_at + $1 * interval '1 hour'`;

export async function prepareChores(
  { cluster, journal, importMs }: { readonly cluster: Cluster; readonly journal: Journal; readonly importMs: number },
  setupCode: string,
): Promise<Chores> {
  const url = () => cluster.urls[0] ?? ""; // it may move
  const store = () => createClient(url(), basic(CREDENTIAL));
  const made = await adminClient(url(), null).post("/setup", { ...OWNER, setup_code: setupCode });
  if (made.status !== 200) throw new Error(`no owner: ${made.text}`);

  async function importFile(mark: string, customers: readonly string[]): Promise<boolean> {
    const until = performance.now() + importMs;
    const lines = customers.map((customer, n) => `${customer},${n + 1},${mark}-${n}`);
    const file = `customer,points,note\n${lines.join("\n")}\n`;
    let cookie = "";
    let uid = "";
    let said = "nothing was answered";
    /** Until it holds. Signs in where there is no session: the clock jumps, and ends them. */
    const persist = async (attempt: (person: Person) => Promise<Answer & { holds: boolean }>): Promise<boolean> => {
      while (performance.now() < until) {
        try {
          if (cookie === "") cookie = await cookieOf(url(), { email: OWNER.email, password: OWNER.password });
          const answer = await attempt(adminClient(url(), cookie));
          if (answer.holds) return true;
          if (answer.status === 401) cookie = "";
          said = `${answer.status} ${answer.text}`;
        } catch (error) {
          said = String(error);
        }
        await delay(RETRY_MS);
      }
      cluster.note(`${mark} was not imported in time: ${said.slice(0, ANSWER_CHARS)}`);
      return false;
    };
    const reaches = (wanted: string) => async (person: Person) => {
      const answer = await person.get(`/imports/${uid}`);
      return { ...answer, holds: answer.body?.data?.state === wanted };
    };
    let uploaded: Record<string, unknown> = {};
    let sends = 0;
    const sent = async () => {
      // An upload whose answer was lost may be stored, and the same content is taken once: each one differs by an empty line.
      const answer = await upload({ url: url(), cookie }, file + "\n".repeat(sends++));
      if (answer.status < 300) uploaded = answer.body.data;
      uid = String(uploaded["uid"] ?? "");
      return { ...answer, holds: answer.status < 300 };
    };
    const checkBegun = async (person: Person) => {
      const settings = settingsOf(uploaded, { columns: { customer: 0, points: 1, note: 2 } });
      const answer = await person.post(`/imports/${uid}/check`, settings);
      return {
        ...answer,
        holds: answer.status < 300 || (await person.get(`/imports/${uid}`)).body?.data?.state === "checked",
      };
    };
    const started = async (person: Person) => {
      const answer = await person.post(`/imports/${uid}/start`);
      return {
        ...answer,
        holds: answer.status < 300 || (await person.get(`/imports/${uid}`)).body?.data?.state === "done",
      };
    };
    for (const step of [sent, checkBegun, reaches("checked"), started, reaches("imported")])
      if (!(await persist(step))) return false;
    for (const [n] of customers.entries()) journal.row(`${mark}-${n}`, n + 1);
    return true;
  }

  async function insist(send: () => Promise<{ status: number }>): Promise<boolean> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const answer = await send().catch(() => null);
      if (answer !== null && answer.status < 300) return true;
      if (answer !== null && answer.status < 500 && answer.status !== 409) return false;
      await delay(RETRY_MS);
    }
    return false;
  }

  async function merge(mark: string): Promise<boolean> {
    const pair = [`${mark}-kept`, `${mark}-removed`];
    for (const [n, id] of pair.entries()) {
      if (!(await insist(() => store().put(`/api/storefront/customers/${id}`, { name: id })))) return false;
      const body = { customer_id: id, point_value: 10 + n, reason: { type: "system_fix", note: `${id}-award` } };
      const keyed = { "idempotency-key": `${id}-award` };
      if (!(await insist(() => store().post("/api/storefront/point_allotments", body, keyed)))) return false;
      journal.row(`${id}-award`, 10 + n);
    }
    const [kept_id, removed_id] = pair;
    const event = { type: "CustomerMerged", delivery_key: mark, payload: { kept_id, removed_id } };
    return insist(() => store().post("/intake/events", event));
  }

  /** At once and past what is due on the way, as a machine's clock jumps; all nodes follow. */
  async function moveClock(by: Temporal.DurationLike): Promise<boolean> {
    const hours = Temporal.Duration.from(by).total("hours");
    return (await cluster.db.execute(MOVE_CLOCK, [hours]).catch(() => 0)) > 0;
  }

  async function backUp(folder: string): Promise<boolean> {
    for (let tries = 0; tries < BACKUP_TRIES; tries++) {
      const made = await cluster.command("backup", folder);
      if (made.code !== 0) {
        cluster.note(`a backup failed: ${made.stderr.slice(0, ANSWER_CHARS)}`);
        if (existsSync(folder)) throw new Error(`a backup that failed left ${folder}`);
        await delay(RETRY_MS);
        continue;
      }
      const checked = await cluster.command("backup", "verify", folder);
      rmSync(folder, { recursive: true, force: true });
      if (checked.code !== 0) throw new Error(`a backup does not hold: ${checked.stdout}${checked.stderr}`);
      return true;
    }
    return false;
  }

  const verify = async () => (await cluster.command("verify")).code === 0;
  return { importFile, merge, moveClock, verify, backUp };
}

import { expirePoints } from "../../src/ledger/expiry/expire-points.ts";
import { changeMessage } from "../../src/messages/change-message.ts";
import { sendMessages } from "../../src/messages/send-messages.ts";
import type { MessageKind } from "../../src/wire/messages.ts";
import { type ReadMail, readMails, sendWaitingMails } from "./mails.ts";
import { startTestService, type TestService } from "./service.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "./smtp.ts";

const TIERS = [
  { name: "Bronze", default: true, point_value: 1, currency_value: 100, currency_spent_requirement: 0 },
  { name: "Silver", point_value: 2, currency_value: 100, currency_spent_requirement: 10000 },
  { name: "Gold", point_value: 3, currency_value: 100, currency_spent_requirement: 50000 },
];

/** A store in Tokyo whose points expire after a month, its mail server, and its events. */
export interface MessageStory {
  readonly service: TestService;
  readonly smtp: SmtpServer;
  /** Creates or changes a customer who consents, with an address made from the id. */
  customer(id: string, more?: object): Promise<string>;
  give(id: string, points: number, more?: object): Promise<void>;
  place(id: string, tier: string): Promise<void>;
  turn(kind: MessageKind, isOn: boolean, daysBefore?: number): Promise<void>;
  /** Runs the job and the mail worker once; returns the mails that arrived. */
  run(): Promise<ReadMail[]>;
  days(count: number): void;
  stop(): Promise<void>;
}

/** Starts at noon of 1 March 2026. */
export async function startMessageStory(): Promise<MessageStory> {
  const smtp = await startSmtp();
  const service = await startTestService({
    worker: false,
    now: "2026-03-01T03:00:00Z",
    config: { mail: smtpSettings(smtp), publicUrl: "https://points.example" },
    program: {
      store: { name: "茶店 Tea", currency: "JPY", time_zone: "Asia/Tokyo" },
      expiration: { delay_months: 1, mode: "per_allotment" },
      tiers: { rules: TIERS },
    },
  });
  const { client, deps } = service;
  async function ask(sent: Promise<{ status: number; text: string }>): Promise<void> {
    const { status, text } = await sent;
    if (status >= 300) throw new Error(text);
  }
  return {
    service,
    smtp,
    async customer(id, more = {}) {
      const body = { email: `${id}@example.com`, name: `Hana ${id}`, accepts_marketing: true, ...more };
      await ask(client.put(`/api/storefront/customers/${id}`, body));
      return id;
    },
    give: (id, points, more = {}) =>
      ask(client.post("/api/storefront/point_allotments", { customer_id: id, point_value: points, ...more })),
    place: (id, tier) => ask(client.post(`/api/storefront/point_balances/${id}/tiers`, { tier })),
    turn: (kind, isOn, daysBefore = 14) => changeMessage(deps, { kind, isOn, daysBefore, texts: {} }),
    async run() {
      const before = smtp.mails.length;
      await deps.db.execute("update message_pace set budget = 1000");
      await expirePoints(deps);
      await sendMessages(deps);
      await sendWaitingMails(deps);
      return readMails(smtp).slice(before);
    },
    days: (count) => service.clock.advance({ hours: 24 * count }),
    async stop() {
      await service.stop();
      await smtp.close();
    },
  };
}

/** The recipients of mails, in order. */
export function addressesOf(mails: readonly ReadMail[]): string[] {
  return mails.map((mail) => mail.to).sort();
}

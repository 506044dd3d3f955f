import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { VENDORS } from "../../src/moving-in/vendors/index.ts";
import { type Block, documentPages, shellBlocks } from "../support/documents/read-documents.ts";
import { type Given, refusalsOf, runBlocks, shownBy } from "../support/documents/run-page.ts";
import { startTestService } from "../support/service.ts";
import { startSmtp } from "../support/smtp.ts";
import { NOT_RUN } from "./not-run.ts";

/** Its examples are those of the table of commands, which the flows of each command run; here they are read by the program. */
const READ_ONLY = ["docs/commands.md"];

/** Pages that are followed from their first line on a new service: they create their customers themselves. */
const FROM_THE_START = ["README.md", "docs/start-engineer.md", "docs/api-guide.md"];

const whyNot = ({ page, code }: Block) =>
  NOT_RUN.filter((entry) => entry.page === page && code.startsWith(entry.begins));
const pages = documentPages()
  .filter((page) => !READ_ONLY.includes(page))
  .map((page) => ({ page, blocks: shellBlocks(page).filter((block) => whyNot(block).length === 0) }))
  .filter(({ blocks }) => blocks.length > 0);

const MEMBERS = `id,email,name,points_approved,points_expire_at
501,hanako@example.com,Hanako Yamada,120,2031-03-31T00:00:00Z
502,new@example.com,"Nguyen, Anh",1300,2032-01-01T00:00:00Z
`;
const ACTIVITY = `email,points_amount,applied_at,external_note
4567@example.com,1000,2024-05-01T03:00:00Z,Order 1007
4567@example.com,-100,2024-06-01T03:00:00Z,
`;
const ORDERS = `email,created_at,total
4567@example.com,2026-01-05,12000
`;
const readFixture = (name: string) => readFileSync(`test/fixtures/vendors/${name}.csv`, "utf8");
const DELIVERIES = `${JSON.stringify({ topic: "customers/update", body: { id: 7002, email: "taro@example.com", state: "enabled", updated_at: "2026-03-01T09:30:00Z" } })}\n`;

/** What the reader of a page has already: files, and settings. */
const GIVEN: Readonly<Record<string, Given>> = {
  "docs/explain.md": { files: { "export.jsonl": DELIVERIES } },
  "docs/moving-in.md": { files: { "members.csv": MEMBERS, "activity.csv": ACTIVITY, "orders.csv": ORDERS } },
  ...Object.fromEntries(
    VENDORS.map(({ name }) => [`docs/moving-in/${name}.md`, { files: { "members.csv": readFixture(name) } }]),
  ),
  "docs/start-manager.md": { files: { "members.csv": MEMBERS } },
};

test("every block that is not run is there once, with a reason", () => {
  const all = documentPages().flatMap(shellBlocks);
  const stale = NOT_RUN.filter(
    ({ page, begins }) => all.filter((block) => block.page === page && block.code.startsWith(begins)).length !== 1,
  );
  expect(stale).toEqual([]);
});

describe("the commands and requests of", () => {
  test.each(pages)("$page", async ({ page, blocks }) => {
    const service = await startTestService({ config: { sandbox: true } });
    const smtp = await startSmtp();
    const env = {
      POINTKEEPER_SMTP_URL: `smtp://localhost:${smtp.port}`,
      POINTKEEPER_SMTP_PLAINTEXT: "1",
      POINTKEEPER_MAIL_FROM: "points@store.example",
    };
    try {
      for (const id of FROM_THE_START.includes(page) ? [] : ["4567890123", "4567"]) {
        await service.client.put(`/api/storefront/customers/${id}`, { email: `${id}@example.com` });
      }
      const { code, output, statuses } = await runBlocks(service, blocks, { ...GIVEN[page], env });
      expect({ code, output }).toEqual({ code: 0, output });
      for (const text of shownBy(blocks)) expect(output).toContain(text);
      const refused = statuses.filter((status) => status >= 400);
      expect({ refused, output }).toEqual({ refused: refusalsOf(blocks), output });
    } finally {
      await service.stop();
      await smtp.close();
    }
  });
});

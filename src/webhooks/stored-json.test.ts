import { describe, expect, test } from "vitest";
import { filesOf, readStored } from "../../test/support/stored.ts";
import { WEBHOOK_TOPICS } from "./topics/index.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a value has fields, with those inside them. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...fieldsOf(part).map((field) => `${name}.${field}`)]);
}

// What waits in the outbox is sent as it is by the release that comes next.
describe.each(filesOf("outbox-payloads"))("%s", (file) => {
  const stored: { topic: string; payload: string }[] = readStored(file);

  test("is of topics that are still sent", () => {
    const topics = WEBHOOK_TOPICS.map(({ name }) => name);
    expect(topics).toEqual(expect.arrayContaining(stored.map(({ topic }) => topic)));
  });

  test.each(stored)("$topic has no field that bodies have lost since, and every field that they must have", (event) => {
    const topic = WEBHOOK_TOPICS.find(({ name }) => name === event.topic);
    // The outbox keeps the export's uid: the body is made at each attempt.
    if (topic?.name === "point_balances/export") return expect(event.payload).toMatch(UUID);
    const body: unknown = JSON.parse(event.payload);
    expect(fieldsOf(topic?.sample)).toEqual(expect.arrayContaining(fieldsOf(body)));
    expect(Object.keys(Object(body))).toEqual(expect.arrayContaining(topic?.schema.required ?? ["a topic"]));
  });
});

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECK, type DollarStore, FIRST, SECOND, sold, startDollarStore, tagged } from "../../support/dollar-store.ts";
import { exampleRuns } from "../../support/example-runs.ts";

let store: DollarStore;
let run = 0;
beforeAll(async () => {
  store = await startDollarStore();
});
afterAll(async () => {
  expect(await store.faults()).toEqual([]);
  await store.stop();
});

/** What the page says an order earns, from the page alone. */
interface Story {
  readonly orders: readonly { readonly customer: number; readonly day: number; readonly cents: number }[];
  readonly tags: readonly {
    readonly customer: number;
    readonly day: number;
    readonly kind: "set" | "add" | "remove";
    readonly tag: string;
  }[];
  /** Day since 1 March from which the second program holds. */
  readonly from: number;
}
const CHECK_DAY = 31;

function tagsOf(story: Story, customer: number, day: number): Set<string> {
  const own = story.tags.filter((one) => one.customer === customer).toSorted((a, b) => a.day - b.day);
  const firstSet = own.findIndex(({ kind }) => kind === "set");
  let tags = new Set<string>();
  const open = firstSet === -1 ? own : own.slice(0, firstSet);
  for (const { tag } of open) if (open.find((one) => one.tag === tag)?.kind === "remove") tags.add(tag);
  for (const one of own.filter((each) => each.day <= day)) {
    if (one.kind === "set") tags = new Set([one.tag]);
    else if (one.kind === "add") tags.add(one.tag);
    else tags.delete(one.tag);
  }
  return tags;
}

function modelPoints(story: Story): number[] {
  const isOut = (customer: number, day: number) =>
    tagsOf(story, customer, day).has(day >= story.from ? "staff" : "wholesale");
  const spent = new Map<number, number>();
  for (const { customer, day, cents } of story.orders) {
    if (day < CHECK_DAY && !isOut(customer, day)) spent.set(customer, (spent.get(customer) ?? 0) + cents);
  }
  return story.orders.map(({ customer, day, cents }) => {
    if (isOut(customer, day)) return 0;
    const isGold = day >= CHECK_DAY && (spent.get(customer) ?? 0) >= 50_000;
    return Math.ceil((cents * (isGold ? 10 : 1) * (day >= story.from ? 2 : 1)) / 100);
  });
}

const at = (day: number) =>
  Temporal.Instant.from("2026-03-01T00:00:00Z")
    .add({ hours: Math.round(24 * day) })
    .toString();

const stories = fc.record({
  orders: fc.array(
    fc.record({
      customer: fc.nat(2),
      day: fc.integer({ min: 40, max: 190 }).map((quarter) => quarter / 4),
      cents: fc.integer({ min: 1, max: 60_000 }),
    }),
    { minLength: 4, maxLength: 12 },
  ),
  // At odd hours, each at its own time: an order's time is never one of a tag.
  tags: fc.uniqueArray(
    fc.record({
      customer: fc.nat(2),
      day: fc.integer({ min: 40, max: 190 }).map((quarter) => (quarter + 0.5) / 4),
      kind: fc.constantFrom("set" as const, "add" as const, "remove" as const),
      tag: fc.constantFrom("wholesale", "staff"),
    }),
    { selector: ({ customer, day }) => `${customer}@${day}`, maxLength: 8 },
  ),
  from: fc.integer({ min: CHECK_DAY, max: 45 }),
  shuffle: fc.infiniteStream(fc.nat(1_000_000)),
});

test("in whatever order programs, checks, tags and orders come, the end is that of their times", async () => {
  const CHECK_AT = Temporal.Instant.from(CHECK);
  await fc.assert(
    fc.asyncProperty(stories, async ({ shuffle, ...story }) => {
      await store.reset();
      const prefix = `s${++run}`;
      const customer = (n: number) => `${prefix}-c${n}`;
      const orderEvents = story.orders.map(({ day, cents, ...order }, n) => ({
        day,
        event: sold(`${prefix}-o${n}`, customer(order.customer), at(day), cents),
      }));
      const tagEvents = story.tags.map(({ day, kind, tag, ...one }) => {
        const fields = kind === "set" ? { tags: [tag] } : { [kind === "add" ? "tags_added" : "tags_removed"]: [tag] };
        return { day, event: tagged(customer(one.customer), at(day), fields) };
      });
      // A check is never made again: what counts in its window, and the first program, come before it, the rest at any time.
      const isEarly = ({ day }: { day: number }) => Temporal.Instant.compare(at(day), CHECK_AT) < 0;
      const events = [...orderEvents, ...tagEvents];
      const mixed = <T>(all: readonly T[]) =>
        all
          .map((one) => ({ one, key: shuffle.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one);
      const rest = mixed(events.filter((event) => !isEarly(event)));
      const split = rest.length === 0 ? 0 : (shuffle.next().value ?? 0) % rest.length;
      const send =
        ({ event }: { event: object }) =>
        () =>
          store.told(event);
      const early = mixed([
        ...[...events.filter(isEarly), ...rest.slice(0, split)].map(send),
        () => store.apply(FIRST),
        ...(split % 2 === 0 ? [store.review] : []),
      ]);
      const late = mixed([...rest.slice(split).map(send), () => store.apply(SECOND, at(story.from)), store.review]);
      for (const step of [...early, store.check, ...late, store.review]) await step();
      const ids = story.orders.map((_, n) => `${prefix}-o${n}`);
      expect(await store.awarded(...ids)).toEqual(modelPoints(story));
    }),
    { numRuns: exampleRuns(6) },
  );
});

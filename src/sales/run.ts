import type { BonusCollection, Campaign, Program } from "../program/program.ts";
import { formatInstant } from "../time/store-time.ts";

/** One campaign or one bonus collection, identified with its start. */
export interface Run {
  readonly key: string;
  readonly kind: "campaign" | "bonus";
  /** The name of the campaign, or the id of the bonus collection. */
  readonly name: string;
  /** What people call it; null: a bonus collection without a name. */
  readonly title: string | null;
  readonly startsAt: Temporal.Instant | null;
  readonly endsAt: Temporal.Instant | null;
}

/** The runs of a program. Where several have the same key, the one that ends last counts. */
export function runsOf(program: Program): readonly Run[] {
  const runs = new Map<string, Run>();
  const all = [...program.campaigns.map(campaignRun), ...program.earning.bonusCollections.map(bonusRun)];
  for (const run of all) {
    const other = runs.get(run.key);
    if (other === undefined || endsLater(run, other)) runs.set(run.key, run);
  }
  return [...runs.values()];
}

export function campaignRun({ name, startsAt, endsAt }: Campaign): Run {
  return { key: `campaign/${formatInstant(startsAt)}/${name}`, kind: "campaign", name, title: name, startsAt, endsAt };
}

export function bonusRun({ collectionId, name, startsAt, endsAt }: BonusCollection): Run {
  const key = `bonus/${startsAt === null ? "ever" : formatInstant(startsAt)}/${collectionId}`;
  return { key, kind: "bonus", name: collectionId, title: name, startsAt, endsAt };
}

function endsLater(a: Run, b: Run): boolean {
  if (a.endsAt === null || b.endsAt === null) return a.endsAt === null;
  return Temporal.Instant.compare(a.endsAt, b.endsAt) > 0;
}

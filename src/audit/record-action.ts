import { currentActor } from "../actor.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";

/** Something that was done, for the audit log. */
export interface Action {
  /** What was done, as `points.adjusted`. */
  readonly action: string;
  /** To what: `{ kind: "customer", id: "42" }`. */
  readonly subject: { readonly kind: string; readonly id: string };
  /** What it was before, in fields that JSON can say; bigints become numbers. Secrets have no place here. */
  readonly before?: object | null;
  readonly after?: object | null;
  /** Where it came from, when the person who acts does not say it. */
  readonly address?: string;
}

/**
 * Writes one entry of the audit log, in the transaction of the change, in the name of the person who acts (`currentActor`). Tables
 * of settings are recorded by triggers; this is for what has no row of settings.
 */
export async function recordAction(tx: Queryable, deps: Pick<Deps, "clock">, action: Action): Promise<void> {
  const { kind, id, name, address } = currentActor();
  await tx.execute(
    `insert into audit_entry (at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10::text::jsonb)`,
    [
      deps.clock.now(),
      kind,
      id,
      name,
      action.address ?? address,
      action.action,
      action.subject.kind,
      action.subject.id,
      jsonText(action.before),
      jsonText(action.after),
    ],
  );
}

function jsonText(fields: object | null | undefined): string | null {
  if (fields === null || fields === undefined) return null;
  return JSON.stringify(fields, (_name, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
}

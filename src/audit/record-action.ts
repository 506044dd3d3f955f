import { currentActor } from "../actor.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";

/** An action for the audit log. */
export interface Action {
  /** The name of the action, for example `points.adjusted`. */
  readonly action: string;
  /** What was changed: `{ kind: "customer", id: "42" }`. */
  readonly subject: { readonly kind: string; readonly id: string };
  /** The state before the action, in fields that JSON can represent; bigints become numbers. It must not contain secrets. */
  readonly before?: object | null;
  readonly after?: object | null;
  /** The address of the request, if the actor does not have one. */
  readonly address?: string;
}

/**
 * Writes one entry of the audit log, in the transaction of the change, in the name of `currentActor`. Triggers record changes of the settings tables;
 * this is for everything else.
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

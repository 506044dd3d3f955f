/** The natural keys of imported rows, and of nothing else that somebody posts as `csv`. */
const IMPORT_KEY = "^csv/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/";

/**
 * SQL beside the allotments under an alias: `note`, and `actor`, who of the staff asked for it. Of an imported row it is who started
 * the import, said once there and not beside each allotment.
 */
export function allotmentNotes(alias: "a" | "t"): {
  readonly note: string;
  readonly actor: string;
  readonly join: string;
} {
  return {
    note: "n.note",
    actor: "coalesce(n.actor, ni.started_by)",
    join: `left join allotment_note n on n.bucket = ${alias}.bucket and n.customer_uid = ${alias}.customer_uid and n.version = ${alias}.version
left join import ni on ni.uid = case when ${alias}.source_key ~ '${IMPORT_KEY}' then split_part(${alias}.source_key, '/', 2)::uuid end`,
  };
}

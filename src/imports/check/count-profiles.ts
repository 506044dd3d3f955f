import type { Deps } from "../../deps.ts";

// A row changes the values that differ from the stored ones; a customer's second row is compared with the rows before it, and otherwise with the
// stored values.
const COUNT = `with known as materialized (
  select p.n,
    coalesce(c.storefront_id, p.storefront_id) as who,
    c.customer_uid is null as is_unknown,
    p.profile,
    jsonb_build_object('email', c.email, 'name', c.name, 'name_reading', c.name_reading, 'birthday', c.birthday,
      'accepts_marketing', c.accepts_marketing, 'account_enabled', c.account_enabled) as stored
  from import_profile p
  left join customer_alias a on a.storefront_id = p.storefront_id
  left join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
  where p.import_uid = $1),
placed as materialized (
  select s.n,
    s.who,
    s.profile,
    s.stored,
    s.is_unknown and row_number() over w = 1 as is_new,
    count(*) over (partition by s.who) as row_count
  from known s
  window w as (partition by s.who order by s.n)),
stated as (
  select p.n,
    e.value is distinct from lag(e.value, 1, p.stored -> e.key) over (partition by p.who, e.key order by p.n) as is_other
  from placed p
  cross join jsonb_each(p.profile) as e
  where p.row_count > 1),
repeated as (
  select t.n
  from stated t
  where t.is_other
  group by t.n)
select count(distinct p.who) as customers,
  count(*) filter (where p.is_new) as created,
  count(*) filter (where not p.is_new
    and case when p.row_count > 1 then r.n is not null else not p.stored @> p.profile end) as changed
from placed p
left join repeated r on r.n = p.n`;

/** What the valid rows of a file of customers would do. */
export interface ProfileCounts {
  /** The number of customers. */
  readonly customers: bigint;
  /** Rows that would create a customer, and rows that would change one. */
  readonly created: bigint;
  readonly changed: bigint;
}

/** Counts the effects of the checked rows, compared with what is stored now. */
export async function countProfiles(deps: Pick<Deps, "db">, uid: string): Promise<ProfileCounts> {
  const [counts] = await deps.db.query<ProfileCounts>(COUNT, [uid]);
  if (counts === undefined) throw new Error("a count has no row");
  return counts;
}

import { parseArgs } from "node:util";
import { LAST, SEARCHES, selectMatching } from "../src/admin/customers/search-queries.ts";
import type { Db, Queryable } from "../src/db/pool.ts";
import type { Deps } from "../src/deps.ts";
import { seedCustomers } from "./seed-customers.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

const { values } = parseArgs({
  options: { customers: { type: "string", default: "1000000" }, rounds: { type: "string", default: "40" } },
});
const customers = Number(values.customers);
const rounds = Number(values.rounds);

// Every second customer gets a Japanese name, from 64 family and 64 given names, with a reading; every ninth a Latin one, a tenth of these with an accent.
const NAME = `with family as (
  select array['佐藤','鈴木','高橋','田中','伊藤','渡辺','山本','中村','小林','加藤','吉田','山田','佐々木','山口','松本','井上',
    '木村','林','斎藤','清水','山崎','森','池田','橋本','阿部','石川','山下','中島','石井','小川','前田','岡田','長谷川','藤田',
    '後藤','近藤','村上','遠藤','青木','坂本','斉藤','福田','太田','西村','藤井','金子','岡本','藤原','三浦','中川','原田','松田',
    '竹内','小野','中山','和田','石田','上田','森田','柴田','酒井','工藤','横山','宮崎'] as f,
  array['太郎','花子','翔太','美咲','健一','陽菜','大輔','さくら','拓也','愛','直樹','優子','誠','裕子','剛','恵',
    '隆','真由美','浩','香織','学','久美子','亮','明美','一郎','由美','健太','麻衣','達也','彩','和也','舞'] as g,
  array['サトウ','スズキ','タカハシ','タナカ','イトウ','ワタナベ','ヤマモト','ナカムラ','コバヤシ','カトウ','ヨシダ','ヤマダ','ササキ','ヤマグチ','マツモト','イノウエ'] as fr,
  array['タロウ','ハナコ','ショウタ','ミサキ','ケンイチ','ハルナ','ダイスケ','サクラ','タクヤ','アイ','ナオキ','ユウコ','マコト','ヒロコ','ツヨシ','メグミ'] as gr)
update customer c
set name = case when n.n % 90 = 0 then 'Søren ' || initcap(md5(n.n::text)) when n.n % 9 = 0 then 'Taro ' || initcap(md5(n.n::text)) else f[1 + n.n / 2 * 7 % 64] || ' ' || g[1 + n.n / 2 % 32] end,
  name_reading = case when n.n % 9 > 0 then fr[1 + n.n / 2 * 7 % 16] || ' ' || gr[1 + n.n / 2 % 16] end,
  email = 'user' || md5(n.n::text) || '@example.com'
from family, (select customer_uid, (storefront_id::bigint - 7000000000000) as n from customer) n
where c.customer_uid = n.customer_uid
  and n.n % 2 = 0`;

const TYPED = [
  "田",
  "森",
  "山田",
  "田太",
  "山田太郎",
  "太郎 山田",
  "やま",
  "や",
  "やまだ",
  "たろう",
  "やまだたろう",
  "c",
  "cu",
  "cus",
  "ustom",
  "customer 123456",
  "taro",
  "taro e",
];
const BY_KEY = [
  "soren",
  "Søren",
  "21@example",
  "example.com",
  "7",
  "70000",
  "7000000123456",
  "customer-77777@",
  "user00",
];

const SIZES = `select indexrelname as name, pg_size_pretty(pg_relation_size(indexrelid)) as size
from pg_stat_user_indexes
where relname in ('customer', 'customer_alias')
order by 1`;

/**
 * Measures how long a search takes while it is typed, and shows its plan: one to three characters and whole names, rare and common.
 * `node bench/customer-search.ts [--customers 1000000] [--rounds 40]`
 */
await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => Temporal.Now.instant() }, bench));

async function bench({ db }: Deps): Promise<void> {
  say(`making ${customers} customers`);
  const startedMs = performance.now();
  await seedCustomers(db, customers);
  await db.execute(NAME);
  await db.execute("vacuum analyze customer");
  say(`made in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  for (const row of await db.query<{ name: string; size: string }>(SIZES)) say(`${row.name}: ${row.size}`);
  for (const typed of [...TYPED, ...BY_KEY]) await measure(db, typed);
}

async function measure(db: Db, typed: string): Promise<void> {
  const tookMs: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now();
    found = (await db.snapshot((tx) => selectMatching(tx, typed))).length;
    tookMs.push(performance.now() - startedMs);
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => (tookMs[Math.floor((tookMs.length - 1) * share)] ?? 0).toFixed(1);
  const plans = await db.snapshot((tx) => plansOf(tx, typed));
  say(
    `${typed.padEnd(18)} found ${String(found).padStart(3)}  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n    ${plans.join("\n    ")}`,
  );
}

/** Returns how the planner finds a text: the scan below each source's limit. */
async function plansOf(tx: Queryable, typed: string): Promise<string[]> {
  await tx.execute("set local plan_cache_mode = force_custom_plan");
  const lines: string[] = [];
  for (const [source, text] of Object.entries(SEARCHES)) {
    const explained = `explain (analyze, costs off) ${text}`;
    const plan = await tx.query<{ "QUERY PLAN": string }>(
      explained,
      source === "accents" || source === "reading" ? [typed] : [typed, typed + LAST],
    );
    const scan = plan.find((row) => row["QUERY PLAN"].includes("Scan"))?.["QUERY PLAN"].trim() ?? "";
    const time = plan.at(-1)?.["QUERY PLAN"].replace("Execution Time: ", "") ?? "";
    lines.push(`${source}: ${scan} (${time})`);
  }
  return lines;
}

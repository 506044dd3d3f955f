/** A product of the made-up tea shop. */
export interface Product {
  readonly id: string;
  readonly title: string;
  /** In yen, tax included. */
  readonly price: bigint;
  readonly collections: readonly string[];
  readonly tags: readonly string[];
}

/** The collection whose products earn a bonus in the demo's program. */
export const BONUS_COLLECTION = "77";
/** The tag of products that earn nothing in the demo's program. */
export const EXCLUDED_TAG = "no-points";

export const CATALOGUE: readonly Product[] = [
  product("9100000000001", "Sencha, first flush, 100 g", 1_620n, [BONUS_COLLECTION]),
  product("9100000000002", "Gyokuro, 50 g", 2_484n, [BONUS_COLLECTION]),
  product("9100000000003", "Matcha, ceremonial, 30 g", 3_240n, [BONUS_COLLECTION]),
  product("9100000000004", "Hojicha, 200 g", 1_080n),
  product("9100000000005", "Genmaicha, 200 g", 972n),
  product("9100000000006", "Tea bowl, Hagi", 8_800n),
  product("9100000000007", "Tea pot, Tokoname", 12_100n),
  product("9100000000008", "Bamboo whisk", 2_750n),
  product("9100000000009", "Tea caddy, cherry bark", 6_380n),
  product("9100000000010", "Furoshiki cloth", 1_980n),
  product("9100000000011", "Gift wrapping", 330n, [], [EXCLUDED_TAG]),
];

function product(
  id: string,
  title: string,
  price: bigint,
  collections: readonly string[] = [],
  tags: readonly string[] = [],
): Product {
  return { id, title, price, collections, tags };
}

export const NAMES: readonly (readonly [first: string, last: string])[] = [
  ["花子", "佐藤"],
  ["太郎", "鈴木"],
  ["陽菜", "高橋"],
  ["蓮", "田中"],
  ["さくら", "伊藤"],
  ["湊", "渡辺"],
  ["凛", "山本"],
  ["悠真", "中村"],
  ["ハナ", "小林"],
  ["Mika", "Mori"],
  ["Kenji", "Ono"],
  ["Zoë", "Dubois"],
  ["Søren", "Nyström"],
  ["María José", "Núñez"],
  ["Aoife", "O'Connor"],
  ["Nguyễn", "Linh"],
  ["서연", "김"],
  ["Anna-Lena", "Groß"],
];

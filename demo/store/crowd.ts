import type { Dice } from "../season/dice.ts";

/** A customer of the made-up store. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** `YYYY-MM-DD` or `--MM-DD`; null: unknown. */
  readonly birthday: string | null;
  readonly acceptsMarketing: boolean;
}

const FAMILY =
  "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤 清水 山崎 森 池田 橋本 阿部 石川 前田 藤田 小川 後藤 岡田 長谷川 村上 近藤 石井".split(
    " ",
  );
const GIVEN =
  "陽葵 凛 結菜 葵 さくら 美咲 花子 愛 由美 恵子 直美 陽子 翔太 蓮 湊 悠真 大輔 健太 拓也 直樹 誠 浩 修 太郎 美穂 千尋 香織 真由美 裕子 智子".split(
    " ",
  );
const WESTERN_FAMILY =
  "Smith Müller Dubois Rossi García Nyström O'Connor Kowalska Silva Jansen Novák Johnson Brown Martin Núñez Groß Taylor Lee Nguyễn Hansen".split(
    " ",
  );
const WESTERN_GIVEN =
  "Emma Zoë Liam Søren Anna Jürgen Chloé Marco María Aoife Lukas Ingrid Noah Olivia José Hannah Peter Julia Thomas Linh".split(
    " ",
  );

const FIRST_ID = 7_300_000_000_000;
const WESTERN_PART = 0.25;

/** Returns the n-th member, from 0. */
export function makeMember(dice: Dice, n: number): Member {
  const isWestern = dice.chance(WESTERN_PART);
  return {
    id: String(FIRST_ID + n),
    email: `member-${n + 1}@shop.example`,
    name: isWestern
      ? `${dice.pick(WESTERN_GIVEN)} ${dice.pick(WESTERN_FAMILY)}`
      : `${dice.pick(FAMILY)} ${dice.pick(GIVEN)}`,
    birthday: dice.chance(0.55) ? birthday(dice) : null,
    acceptsMarketing: dice.chance(0.45),
  };
}

function birthday(dice: Dice): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`;
  return dice.chance(0.1) ? `--${day}` : `${1950 + dice.below(55)}-${day}`;
}

export type Language = "en" | "ja";

const EN = {
  title: "Your points",
  loading: "Loading your points",
  signedOut: "Sign in to see your points.",
  failed: "Your points cannot be shown just now.",
  retry: "Try again",
  unit: (points: string): string => (points === "1" ? "point" : "points"),
  worth: (money: string) => `worth ${money}`,
  useBy: (points: string, date: string) => `Use ${points} points by ${date}`,
  expiries: "Points that expire next",
  tier: (name: string) => `Tier: ${name}`,
  progress: (name: string) => `Progress toward ${name}`,
  next: (money: string, name: string, date: string) => `Spend ${money} more by ${date} to reach ${name}.`,
  keep: (money: string, name: string, date: string) => `Spend ${money} more by ${date} to keep ${name}.`,
  top: "You are in the highest tier.",
  earnProduct: (points: string) => `Earn ${points} points with this product`,
  earnCart: (points: string) => `Earn ${points} points with this order`,
  amount: "Points to redeem",
  amountHint: (max: string) => `From 1 to ${max}`,
  redeem: (points: string, money: string) => `Redeem ${points} points for ${money} off`,
  redeemNothing: "Redeem",
  redeeming: "Making your coupon",
  redeemed: (code: string, money: string) => `Your coupon ${code} is worth ${money}.`,
  wrongAmount: (max: string) => `Enter a whole number from 1 to ${max}.`,
  tooFew: "You do not have enough points any more.",
  busy: "That was too often. Wait a minute and try again.",
  redeemFailed: "The coupon could not be created. Try again: your points are used once.",
  coupons: "Your coupons",
  coupon: (money: string, date: string) => `${money} off, until ${date}`,
  copy: "Copy",
  copyCode: (code: string) => `Copy ${code}`,
  copied: (code: string) => `${code} is copied.`,
};

export type Words = typeof EN;

const JA: Words = {
  title: "ポイント",
  loading: "ポイントを読み込んでいます",
  signedOut: "ログインするとポイントを確認できます。",
  failed: "ただいまポイントを表示できません。",
  retry: "もう一度試す",
  unit: () => "ポイント",
  worth: (money) => `${money}相当`,
  useBy: (points, date) => `${points}ポイントは${date}まで`,
  expiries: "まもなく失効するポイント",
  tier: (name) => `会員ランク：${name}`,
  progress: (name) => `${name}までの進み具合`,
  next: (money, name, date) => `${date}までにあと${money}のお買い物で${name}になります。`,
  keep: (money, name, date) => `${date}までにあと${money}のお買い物で${name}を維持できます。`,
  top: "最上位の会員ランクです。",
  earnProduct: (points) => `この商品で${points}ポイント獲得`,
  earnCart: (points) => `このご注文で${points}ポイント獲得`,
  amount: "交換するポイント",
  amountHint: (max) => `1〜${max}`,
  redeem: (points, money) => `${points}ポイントを${money}引きクーポンに交換`,
  redeemNothing: "交換する",
  redeeming: "クーポンを発行しています",
  redeemed: (code, money) => `${money}引きのクーポン ${code} を発行しました。`,
  wrongAmount: (max) => `1から${max}までの整数を入力してください。`,
  tooFew: "ポイントが足りなくなりました。",
  busy: "操作が多すぎます。1分ほど待ってからもう一度お試しください。",
  redeemFailed: "クーポンを発行できませんでした。もう一度お試しください。ポイントが二重に使われることはありません。",
  coupons: "お持ちのクーポン",
  coupon: (money, date) => `${money}引き、${date}まで`,
  copy: "コピー",
  copyCode: (code) => `${code}をコピー`,
  copied: (code) => `${code}をコピーしました。`,
};

const WORDS: Readonly<Record<Language, Words>> = { en: EN, ja: JA };

export function wordsOf(language: Language): Words {
  return WORDS[language];
}

/** The language of the element, or of its surroundings, also outside of a component of the page that contains it, or English. */
export function languageOf(element: Element): Language {
  const owner = element.closest("[lang]");
  const root = element.getRootNode();
  if (owner === null && root instanceof ShadowRoot) return languageOf(root.host);
  return /^ja\b/i.test(owner?.getAttribute("lang") ?? "") ? "ja" : "en";
}

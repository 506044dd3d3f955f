/**
 * Names of columns that most apps share, in lower case, without spaces and signs. The Japanese ones are how people of a store in Japan rename them in
 * a spreadsheet, whichever app wrote the file.
 */
export const COMMON = {
  email: ["email", "emailaddress", "customeremail", "customeremails", "emails", "メールアドレス", "eメール", "メール"],
  first_name: ["firstname", "名"],
  last_name: ["lastname", "姓"],
  name: ["name", "fullname", "customername", "customer", "名前", "氏名", "お名前"],
  accepts_marketing: [
    "acceptsmarketing",
    "emailmarketing",
    "marketingconsent",
    "subscribed",
    "emailsubscriptionstatus",
  ],
  birthday: [
    ...["birthday", "birthdate", "dateofbirth", "dob"],
    ...["birthdaymmdd", "birthdaymmddyyyy", "birthdaymmddormmddyyyy", "birthdateyyyymmdd"],
    ...["誕生日", "生年月日"],
  ],
  points: [
    ...["pointsbalance", "pointbalance", "currentpointsbalance", "currentpoints", "points", "point"],
    ...["ポイント残高", "保有ポイント", "ポイント", "残高"],
  ],
  expires_at: [
    ...["pointsexpireat", "pointsexpiresat", "pointsexpiry", "pointsexpirydate", "pointsexpirationdate"],
    ...["有効期限", "失効日"],
  ],
  earned_at: ["pointsearnedat", "earnedat"],
  spent: ["totalspent", "lifetimespend", "totalspend", "amountspent", "購入金額", "累計購入金額"],
  tier: ["viptier", "viptiername", "tiername", "tier", "会員ランク", "ランク"],
  tier_until: ["viptierenddate", "tierenddate", "tierexpiresat", "tierexpirydate"],
} as const;

/** The id that the store's platform gives a customer. */
export const PLATFORM_ID = [
  "shopifycustomerid",
  "shopifycustomerids",
  "shopifyid",
  "platformcustomerid",
  "externalid",
  "merchantid",
];

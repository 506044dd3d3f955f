/** Names of columns that most apps share, in lower case, without spaces and signs. */
export const COMMON = {
  email: ["email", "emailaddress", "customeremail", "customeremails", "emails"],
  first_name: ["firstname"],
  last_name: ["lastname"],
  name: ["name", "fullname", "customername", "customer"],
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
  ],
  points: ["pointsbalance", "pointbalance", "currentpointsbalance", "currentpoints", "points", "point"],
  expires_at: ["pointsexpireat", "pointsexpiresat", "pointsexpiry", "pointsexpirydate", "pointsexpirationdate"],
  earned_at: ["pointsearnedat", "earnedat"],
  spent: ["totalspent", "lifetimespend", "totalspend", "amountspent"],
  tier: ["viptier", "viptiername", "tiername", "tier"],
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

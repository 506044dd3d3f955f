import { defineWords } from "./use-words.ts";

/** A worked example for each setting of the program that needs one, and for its lists. The figures are those of docs/program.md. */
export const exampleWords = defineWords({
  en: {
    "store.name": "With Tea House, this dashboard and the mails to customers say Tea House.",
    "store.currency":
      "With JPY, an order of 1,000 yen earns 10 points at 1 per 100. An order of 10 US dollars is kept and shown, and earns none.",
    "store.time_zone":
      "With Asia/Tokyo, points that expire on 16 March can be spent until 00:00 of that day in Tokyo, which is 15:00 of 15 March in London.",
    "earning.rate": "1 point per 100: an order of 1,250 + 330 is 15.8 points before rounding.",
    "earning.rounding":
      "An order comes to 15.8 points: up gives 16, down 15, to the nearest 16. 0.99 gives 1, 0 and 1.",
    "earning.award_on":
      "An order is paid on 1 March and shipped on 4 March: “when paid” awards on 1 March, “when paid and shipped” on 4 March.",
    "earning.pending_days":
      "With 14, an order shipped on 4 March awards on 18 March. One cancelled on 10 March never awards, so nothing has to be taken back.",
    "earning.include_tax":
      "An order of 1,100 of which 100 are tax, at 1 point per 100: 11 points with tax, 10 without.",
    "earning.separate_tax":
      "Goods of 1,000 and 100 tax on top, at 1 point per 100: one entry of 10 points and one of 1.",
    "earning.excluded_product_tags":
      "With the tag sale: an order of 2,000 and of 1,000 tagged sale earns 20 points, not 30.",
    "earning.excluded_customer_tags":
      "With the tag wholesale: a customer who has it earns nothing, whatever they order.",
    "tiers.rules":
      "Bronze from 0, Silver from 50,000, Gold from 100,000, with 1, 2 and 3 points per 100: an order of 12,000 earns 120, 240 or 360 points.",
    "tiers.requirement":
      "With 100,000: a customer who spent 100,000 in the months that count reaches the tier, one who spent 99,999 does not.",
    "tiers.rate":
      "With 3 points per 100 an order of 12,000 earns 360 points. Left empty, the usual rate holds: at 1 per 100 it earns 120.",
    "tiers.period_months": "Every 3 months from January: checks are on 1 January, 1 April, 1 July and 1 October.",
    "tiers.start_month": "April, every 6 months: checks are on 1 April and 1 October.",
    "tiers.window_months": "With 12, the check of 1 July 2026 counts what was spent from 1 July 2025 to 30 June 2026.",
    "tiers.on_miss":
      "A Gold customer (from 100,000) spent 10,000: drops one tier means Silver, drops to the tier that matches means Bronze, stays means Gold.",
    "tiers.spend_at":
      "An order is placed on 30 June and shipped on 2 July: placed counts it for the check of 1 July, shipped for the next one.",
    "expiration.delay_months": "With 12, points of 15 March 2026 expire on 16 March 2027 if nothing happens meanwhile.",
    "expiration.mode":
      "Points of 15 March, last activity on 20 May, 12 months: counted from the last activity they expire on 21 May of the next year, counted from each award on 16 March.",
    "expiration.sweep":
      "Points whose date is 15 March 2027 can be spent until 16 March (each day), 1 April (each month) or 1 January 2028 (each year).",
    "expiration.coupons_extend":
      "A customer makes a coupon on 20 May: on, the rest of the balance counts 12 months from that day.",
    "expiration.returned_days":
      "With 30: a coupon is cancelled on 1 April, and its points would have expired in March. They come back and expire on 2 May.",
    "expiration.shortening_days":
      "With 30: 24 months become 12 on 1 September. Points older than 12 months stay until 2 October instead of expiring at once.",
    "refunds.shortfall":
      "An order gave 16 points, 10 of them are spent, and it is cancelled. Forgive: balance 0. Take the rest from later awards: 10 of the next 20. Take nothing: balance 6 and a task.",
    "refunds.reimburse_coupons_on_partial":
      "A coupon of 100 points on three lines of the same price, one is refunded: on returns 33 points, off returns none until all of it is refunded.",
    "coupons.point_worth": "With 1, a coupon of 300 points takes 300 off an order; with 2 it takes 600.",
    "coupons.lifetime_hours": "With 72, a coupon made on Monday at noon can be used until Thursday at noon.",
    "coupons.grace_hours":
      "With 24, its points return on Friday at noon, so that an order of Thursday morning that is reported late still counts as its use.",
    "rewards.signup":
      "With 100, a customer who creates an account has 100 points at once. Imported customers get none.",
    "rewards.marketing_opt_in":
      "With 50, the first yes to marketing gives 50 points; leaving and returning gives none again.",
    "rewards.birthday": "With 300, a customer born on 12 April gets 300 points every 12 April.",
    "staff.approval_limit":
      "With 1,000: a person gave a customer 800 points this morning. 200 more are given at once, 300 more wait for a second person.",
    "staff.daily_limit":
      "With 10,000: after 10,000 points to any customers within 24 hours the next ones wait for a second person.",
    "campaign.time":
      "From 13 June 00:00 to 15 June 00:00: an order placed on 12 June at 23:59 earns 50 points, on 13 June at 00:00 it earns 100, on 15 June at 00:00 again 50.",
    "campaign.rates":
      "Tiers earn 1, 2 and 3 points per 100. Times 2 gives 2, 4 and 6. A typed rate of 2 for all would give Gold 2 instead of 3: less than without the campaign.",
    "bonus.collection":
      "With teas, every product that the shop has in the collection teas. A product of two bonus collections earns the higher bonus alone. Results, Home and orders show the name, if there is one, in place of the id.",
    "bonus.rate":
      "An order of 1,250 and of 330 from the collection, at 1 point per 100: 15.8 points, rounded up to 16. A bonus of 1 per 100 adds 3.3, rounded up to 4.",
    "bonus.time":
      "From 10 March 00:00 to 20 March 00:00: an order placed on 19 March at 23:59 earns the bonus, one on 20 March at 00:00 does not. Both empty: always.",
    "version.from":
      "Set to 13 March 21:00: an order placed on 13 March at 22:00 is counted again by the new rules, and the difference is given or taken. One of 20:00 keeps its points.",
  },
  ja: {
    "store.name": "「花茶屋」の場合、管理画面と会員へのメールに「花茶屋」と表示されます。",
    "store.currency":
      "JPYの場合、1,000円の注文には100円ごとに1ポイントで10ポイントが付きます。10米ドルの注文は表示されますが、ポイントは付きません。",
    "store.time_zone":
      "Asia/Tokyoの場合、3月16日に失効するポイントは東京の午前0時（ロンドンの3月15日15時）まで使えます。",
    "earning.rate": "100円ごとに1ポイントの場合、1,250円＋330円の注文は、端数処理の前で15.8ポイントです。",
    "earning.rounding":
      "15.8ポイントの注文は、切り上げで16、切り捨てで15、四捨五入で16。0.99ポイントは順に1、0、1です。",
    "earning.award_on":
      "3月1日に支払い、3月4日に発送した注文は、「支払い時」なら3月1日、「支払いと発送の完了時」なら3月4日に付与します。",
    "earning.pending_days":
      "14日の場合、3月4日に発送した注文の付与は3月18日です。3月10日にキャンセルされた注文には付与しないため、取り消しも不要です。",
    "earning.include_tax":
      "税込1,100円（税100円）の注文は、100円ごとに1ポイントで、税額を含めると11、含めないと10ポイントです。",
    "earning.separate_tax": "税抜1,000円と税100円の注文は、10ポイントと1ポイントの2行になります。",
    "earning.excluded_product_tags": "saleタグの場合、2,000円と1,000円（saleタグ）の注文は、30ではなく20ポイントです。",
    "earning.excluded_customer_tags": "wholesaleタグの場合、このタグの付いた会員には、どの注文でも付与しません。",
    "tiers.rules":
      "ブロンズ0円、シルバー5万円、ゴールド10万円で、100円ごとに1・2・3ポイントの場合、12,000円の注文は120・240・360ポイントです。",
    "tiers.requirement":
      "10万円の場合、集計期間の購入額が100,000円の会員はこのランクになり、99,999円の会員はなりません。",
    "tiers.rate":
      "100円ごとに3ポイントの場合、12,000円の注文は360ポイントです。空欄では基本の付与率になり、100円ごとに1ポイントなら120ポイントです。",
    "tiers.period_months": "1月から3か月ごとの場合、判定は1月1日、4月1日、7月1日、10月1日です。",
    "tiers.start_month": "4月から6か月ごとの場合、判定は4月1日と10月1日です。",
    "tiers.window_months":
      "12か月の場合、2026年7月1日の判定では、2025年7月1日から2026年6月30日までの購入額を数えます。",
    "tiers.on_miss":
      "ゴールド（10万円）の会員の購入額が1万円の場合、「1ランク下がる」でシルバー、「条件に合うランクまで下がる」でブロンズ、「下がらない」でゴールドです。",
    "tiers.spend_at":
      "6月30日に注文、7月2日に発送の場合、「注文時」では7月1日の判定に、「発送時」ではその次の判定に数えます。",
    "expiration.delay_months": "12か月の場合、2026年3月15日のポイントは、利用がなければ2027年3月16日に失効します。",
    "expiration.mode":
      "3月15日に付与、最終利用が5月20日、12か月の場合、最終利用日からは翌年5月21日、付与日からは翌年3月16日に失効します。",
    "expiration.sweep":
      "期限が2027年3月15日のポイントは、毎日なら3月16日、毎月なら4月1日、毎年なら2028年1月1日まで使えます。",
    "expiration.coupons_extend":
      "5月20日にクーポンを発行した場合、オンなら残りのポイントの期限もこの日から12か月です。",
    "expiration.returned_days":
      "30日の場合、3月に期限が過ぎたポイントが4月1日のクーポン取り消しで戻ると、5月2日に失効します。",
    "expiration.shortening_days":
      "30日の場合、9月1日に24か月を12か月にしても、12か月を過ぎたポイントは10月2日まで残ります。",
    "refunds.shortfall":
      "16ポイントを付与し、10ポイント使われた後のキャンセルでは、免除なら残高0、今後の付与から差し引くなら次の20ポイントから10、取り消さないなら残高6とタスクになります。",
    "refunds.reimburse_coupons_on_partial":
      "100ポイントのクーポンを同額の3商品に使い、1商品を返金した場合、オンなら33ポイントを返還、オフなら全額の返金まで返還しません。",
    "coupons.point_worth": "1の場合、300ポイントのクーポンは300円引き、2の場合は600円引きです。",
    "coupons.lifetime_hours": "72時間の場合、月曜の正午に発行したクーポンは、木曜の正午まで使えます。",
    "coupons.grace_hours":
      "24時間の場合、ポイントは金曜の正午に戻ります。木曜の朝の注文が遅れて届いても、クーポンの利用として扱えます。",
    "rewards.signup":
      "100の場合、アカウントを作成した会員にすぐ100ポイントを付与します。インポートした会員には付与しません。",
    "rewards.marketing_opt_in":
      "50の場合、初めての配信同意で50ポイントを付与します。解除して再び同意しても付与しません。",
    "rewards.birthday": "300の場合、4月12日生まれの会員に毎年4月12日に300ポイントを付与します。",
    "staff.approval_limit":
      "1,000の場合、午前中に同じ会員へ800ポイント付与したスタッフは、あと200ポイントまですぐに付与でき、300ポイントは承認待ちになります。",
    "staff.daily_limit": "10,000の場合、24時間以内に合計10,000ポイントを超える分は、別のスタッフの承認を待ちます。",
    "campaign.time":
      "6月13日0時から15日0時までの場合、12日23時59分の注文は50、13日0時は100、15日0時は再び50ポイントです。",
    "campaign.rates":
      "100円ごとに1・2・3ポイントのランクは、2倍で2・4・6ポイントになります。全ランク2と入力すると、ゴールドは3から2に減ります。",
    "bonus.collection":
      "teasの場合、ショップのteasコレクションにあるすべての商品が対象です。2つの対象コレクションに入る商品には、高いほうのボーナスだけが付きます。名称を付けると、施策の結果・ホーム・注文ではIDの代わりに表示されます。",
    "bonus.rate":
      "1,250円と対象商品330円の注文は、100円ごとに1ポイントで15.8ポイント、切り上げて16です。100円ごとに1のボーナスで3.3、切り上げて4が加わります。",
    "bonus.time":
      "3月10日0時から20日0時までの場合、19日23時59分の注文には付き、20日0時の注文には付きません。両方空欄では常に付きます。",
    "version.from": "3月13日21時の場合、22時の注文は新しいルールで計算し直して差を増減し、20時の注文はそのままです。",
  },
});

export type ExampleName = keyof typeof exampleWords.en;

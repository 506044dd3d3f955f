import { counted } from "../../words/counted.ts";
import { defineWords } from "../../words/words.ts";

export const requestWords = defineWords({
  en: {
    title: (name: string) => `Requests of ${name}`,
    loading: "Requests",
    what: (hours: string) =>
      `The requests of this credential in the last ${counted(hours, "hour")}. Bodies and addresses are not kept.`,
    off: "No log of requests is written: POINTKEEPER_KEEP_REQUESTS_HOURS is 0.",
    unlisted: (count: string) =>
      `${counted(count, "more request was", "more requests were")} counted and not listed: a node lists 10 a second, and refused ones apart from the others.`,
    at: "Answered",
    route: "Route",
    status: "Status",
    time: "Time",
    ms: (value: string) => `${value} ms`,
    id: "Request id",
    outcome: "Status",
    every: "Every status",
    outcomes: { done: "Answered (below 400)", refused: "Refused (4xx)", failed: "Failed (5xx)" },
    none: "No requests in the last day",
    noneHint: "Requests appear here about two seconds after they are answered.",
    noneFiltered: "No request like this",
  },
  ja: {
    title: (name) => `「${name}」のリクエスト`,
    loading: "リクエスト",
    what: (hours) => `直近${hours}時間のリクエストです。本文とアドレスは保存されません。`,
    off: "リクエスト履歴は記録されていません（POINTKEEPER_KEEP_REQUESTS_HOURS が 0 です）。",
    unlisted: (count) =>
      `このほかに${count}件のリクエストがありました（一覧には、ノードごとに毎秒10件まで、拒否されたものは別枠で記録されます）。`,
    at: "応答日時",
    route: "ルート",
    status: "ステータス",
    time: "処理時間",
    ms: (value) => `${value}ミリ秒`,
    id: "リクエストID",
    outcome: "ステータス",
    every: "すべてのステータス",
    outcomes: { done: "成功（400未満）", refused: "拒否（4xx）", failed: "エラー（5xx）" },
    none: "直近24時間のリクエストはありません",
    noneHint: "リクエストは、応答の約2秒後に表示されます。",
    noneFiltered: "条件に合うリクエストはありません",
  },
});

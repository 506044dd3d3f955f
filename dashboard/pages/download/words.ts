import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: {
    title: "Download a file",
    ready: "Your link leads to a file. This button downloads it.",
    download: "Download the file",
    notYours: "Your role may not download this file.",
    gone: "This file is no longer there.",
    goneExport: "This file is no longer there. An export can be requested again.",
    wrongFilters:
      "The link has filters that no longer exist. Choose the filters in the list, and download the file there.",
    list: "Open the list",
    failed: (status: string) => `The file cannot be sent (${status}).`,
    failedNow: (status: string) => `The file cannot be sent now (${status}). Try again in a minute.`,
    again: "Try again",
    none: "This link leads to no file.",
  },
  ja: {
    title: "ファイルのダウンロード",
    ready: "リンク先はファイルです。このボタンでダウンロードできます。",
    download: "ファイルをダウンロード",
    notYours: "このファイルをダウンロードする権限がありません。",
    gone: "このファイルはもうありません。",
    goneExport: "このファイルはもうありません。明細は、もう一度作成できます。",
    wrongFilters:
      "リンクの絞り込み条件は現在使われていません。一覧で条件を選び直して、ファイルをダウンロードしてください。",
    list: "一覧を開く",
    failed: (status) => `ファイルを送信できません（${status}）。`,
    failedNow: (status) => `現在ファイルを送信できません（${status}）。しばらくしてからもう一度お試しください。`,
    again: "もう一度試す",
    none: "このリンクの先にファイルはありません。",
  },
});

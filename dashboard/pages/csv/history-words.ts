import { defineWords } from "../../words/use-words.ts";

export const historyWords = defineWords({
  en: {
    uploadedBy: "Uploaded by",
    startedBy: "Started by",
    approvedBy: "Approved by",
    undoneBy: "Undone by",
    undoApprovedBy: "Undo approved by",
    id: "Import id",
  },
  ja: {
    uploadedBy: "アップロード",
    startedBy: "実行",
    approvedBy: "承認",
    undoneBy: "取り消し",
    undoApprovedBy: "取り消しの承認",
    id: "インポートID",
  },
});

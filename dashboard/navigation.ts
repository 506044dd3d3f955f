import type { ReactNode } from "react";
import type { Permission } from "../src/staff/permissions.ts";
import { ApprovalsMark } from "./ui/approvals/approvals-mark.tsx";
import {
  AlertsIcon,
  AppearanceIcon,
  AuditIcon,
  CredentialsIcon,
  CustomersIcon,
  GrowthIcon,
  HomeIcon,
  IntakeIcon,
  JobsIcon,
  LedgerIcon,
  LiabilityIcon,
  MailIcon,
  OrdersIcon,
  PeopleIcon,
  ProgramIcon,
  ReportsIcon,
  ResultsIcon,
  SegmentsIcon,
  TransferIcon,
  WebhooksIcon,
} from "./ui/layout/icons.tsx";

/** A page in the navigation: its path below /admin, its name in both languages, and the permission that it needs. */
export interface NavigationEntry {
  readonly path: string;
  readonly label: { readonly en: string; readonly ja: string };
  readonly permission: Permission;
  readonly icon: () => ReactNode;
}

/** Groups are separated by a line, in this order. */
export const NAVIGATION: readonly (readonly NavigationEntry[])[] = [
  [
    { path: "/", label: { en: "Home", ja: "ホーム" }, permission: "view", icon: HomeIcon },
    { path: "/customers", label: { en: "Customers", ja: "会員" }, permission: "view", icon: CustomersIcon },
    { path: "/segments", label: { en: "Segments", ja: "セグメント" }, permission: "view", icon: SegmentsIcon },
    { path: "/ledger", label: { en: "Ledger", ja: "ポイント履歴" }, permission: "view", icon: LedgerIcon },
    { path: "/orders", label: { en: "Orders", ja: "注文" }, permission: "view", icon: OrdersIcon },
    { path: "/approvals", label: { en: "Approvals", ja: "承認" }, permission: "view", icon: ApprovalsMark },
  ],
  [
    { path: "/program", label: { en: "Program", ja: "プログラム設定" }, permission: "view", icon: ProgramIcon },
    { path: "/results", label: { en: "Results", ja: "施策の結果" }, permission: "view", icon: ResultsIcon },
    { path: "/growth", label: { en: "Growth", ja: "会員の動向" }, permission: "view", icon: GrowthIcon },
    {
      path: "/messages",
      label: { en: "Messages", ja: "会員へのメール" },
      permission: "messages.manage",
      icon: MailIcon,
    },
    { path: "/liability", label: { en: "Liability", ja: "ポイント負債" }, permission: "view", icon: LiabilityIcon },
    { path: "/csv", label: { en: "Imports & exports", ja: "CSV入出力" }, permission: "view", icon: TransferIcon },
  ],
  [
    { path: "/webhooks", label: { en: "Webhooks", ja: "Webhook" }, permission: "view", icon: WebhooksIcon },
    {
      path: "/credentials",
      label: { en: "Credentials", ja: "API認証情報" },
      permission: "credentials.manage",
      icon: CredentialsIcon,
    },
    { path: "/people", label: { en: "People", ja: "スタッフ" }, permission: "people.manage", icon: PeopleIcon },
    {
      path: "/mails",
      label: { en: "Mail log", ja: "メールの送信履歴" },
      permission: "messages.manage",
      icon: MailIcon,
    },
    { path: "/reports", label: { en: "Reports", ja: "定期レポート" }, permission: "reports.manage", icon: ReportsIcon },
    { path: "/alerts", label: { en: "Alerts", ja: "アラート" }, permission: "alerts.manage", icon: AlertsIcon },
    {
      path: "/appearance",
      label: { en: "Appearance", ja: "外観" },
      permission: "theme.change",
      icon: AppearanceIcon,
    },
    { path: "/audit", label: { en: "Audit log", ja: "操作履歴" }, permission: "audit.view", icon: AuditIcon },
    { path: "/jobs", label: { en: "Jobs", ja: "定期処理" }, permission: "view", icon: JobsIcon },
    { path: "/intake", label: { en: "Intake", ja: "受信データ" }, permission: "view", icon: IntakeIcon },
  ],
];

const ENTRIES = NAVIGATION.flat();

/** Returns the entry of the page with a path below /admin, or of its list; undefined: there is none. */
export function entryOf(path: string): NavigationEntry | undefined {
  return ENTRIES.find((one) => path === one.path || (one.path !== "/" && path.startsWith(`${one.path}/`)));
}

/** A frequent action: its page, and other words by which people search for it. */
export interface NavigationAction extends NavigationEntry {
  readonly keywords: string;
}

const program = (tab: string, en: string, ja: string, keywords: string): NavigationAction => {
  return { path: `/program/${tab}`, label: { en, ja }, keywords, permission: "view", icon: ProgramIcon };
};

/** Actions that the palette finds; the pages themselves are in `NAVIGATION`. */
export const ACTIONS: readonly NavigationAction[] = [
  {
    path: "/glossary",
    label: { en: "Glossary", ja: "用語集" },
    keywords: "words terms meaning help 用語 ヘルプ 意味",
    permission: "view",
    icon: ProgramIcon,
  },
  {
    path: "/customers",
    label: { en: "Give or take points: choose a customer", ja: "ポイントの付与・減算（会員を選択）" },
    keywords: "adjust points add deduct balance 調整 ポイント調整",
    permission: "points.adjust",
    icon: CustomersIcon,
  },
  program("campaigns", "Campaigns", "キャンペーン", "double points weekend multiply 倍率"),
  program("earning", "Earning settings", "付与率の設定", "rate points per amount rounding 付与"),
  program("tiers", "Tier settings", "会員ランクの設定", "tiers thresholds levels rank ランク"),
  program("expiration", "Expiration settings", "有効期限の設定", "expiry expire months 失効"),
  program("rewards", "Reward settings", "特典の設定", "rewards birthday signup 誕生日 新規登録"),
  {
    path: "/csv/imports/new",
    label: { en: "Import a file", ja: "ファイルをインポートする" },
    keywords: "csv upload new import points customers tiers 取り込み 取込 一括",
    permission: "imports.run",
    icon: TransferIcon,
  },
  {
    path: "/people",
    label: { en: "Invite a person", ja: "スタッフを招待する" },
    keywords: "staff role user password 招待",
    permission: "people.manage",
    icon: PeopleIcon,
  },
];

import { readTranslations } from '../../schema/read-translations.ts';
import { sayIn, sentence, setSettingsLocation, type TelephonyError } from '../../src/builder.ts';
import { root } from '../support/root.ts';
import { errorOf } from './errors.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();
beforeAll(() => setSettingsLocation(sentence("the plugin's settings")));

const sms = { to: '+12025550143', from: '+12025550100', body: 'Hi' };
const sendSms = (input: object) => telephony().run('send-sms', { ...sms, ...input });
/** Writes the message of an error in a language. */
async function written(error: TelephonyError, language: string): Promise<string> {
  const texts = (await readTranslations(root, 'nocobase'))[language] ?? {};
  return sayIn((text) => texts[text] ?? text)(error.said);
}

const cases: [
  what: string,
  input: object,
  answers: ServiceAnswer[],
  german: string,
  chinese: string,
][] = [
  [
    'a missing value',
    { body: '' },
    [],
    '„Text“ fehlt: Der Text der Nachricht, höchstens 1.600 Zeichen.',
    '“内容”缺失：消息文本，最多 1,600 个字符。',
  ],
  [
    'two wrong values',
    { to: '0664', body: [1] },
    [],
    '„An“ ist 0664, eine Nummer ohne Ländervorwahl. Geben Sie sie mit Ländervorwahl ein, etwa +12025550143, oder prüfen Sie „Standardland“ in den Einstellungen des Plugins. „Text“ muss Text sein, nicht eine Liste.',
    '“接收方”为 0664，没有国家/地区代码。请输入含国家/地区代码的号码，如 +12025550143，或检查插件设置中的“默认国家/地区”。“内容”必须是文本，而不是列表。',
  ],
  [
    'a refusal with a known code',
    {},
    [{ status: 400, body: { code: 21610, message: 'Attempt to send to unsubscribed recipient' } }],
    'Der Empfänger hat sich mit STOP abgemeldet. Mit START kann er sich wieder anmelden. Meldung des Dienstes: Attempt to send to unsubscribed recipient (21610)',
    '接收方已回复 STOP 退订。对方可回复 START 重新订阅。服务的消息：Attempt to send to unsubscribed recipient（21610）',
  ],
  [
    'the refusal of the credentials',
    {},
    [{ status: 401, body: '' }],
    'Der Dienst hat die Zugangsdaten abgelehnt. Prüfen Sie den Benutzernamen (die Account SID) und das Passwort (das Auth Token) in den Einstellungen des Plugins.',
    '服务拒绝了凭据。请检查插件设置中的用户名（账户 SID）和密码（Auth Token）。',
  ],
  [
    'an unknown outcome',
    {},
    [
      { status: 500, body: { message: 'Oops' } },
      { status: 404, body: '' },
    ],
    'Beim Dienst trat ein Fehler auf, während er die Anfrage bearbeitete. Seine Meldung: Oops. Das Ergebnis von „SMS senden“ ist unbekannt; es wurde nicht erneut gesendet. Das Plugin konnte das Ergebnis nicht prüfen, weil der Dienst „Nachrichten des Kontos“ nicht hat. Prüfen Sie das Nachrichtenprotokoll Ihres Kontos, bevor Sie noch einmal senden.',
    '服务在处理请求时出错。服务的消息：Oops。“发送短信”的结果未知；未再次发送。插件无法检查结果，因为该服务没有“账户消息”。再次发送前，请检查账户的消息日志。',
  ],
];

test.each(cases)('%s is said in German and Chinese', async (_, input, answers, german, chinese) => {
  answerWith(answers);
  const error = await errorOf(sendSms(input));
  expect([await written(error, 'de-DE'), await written(error, 'zh-CN')]).toEqual([german, chinese]);
});

import { type Message } from '../messages/message';
import { harmless, shortened } from './harmless-text';

const colors: Readonly<Record<Message['severity'], number>> = {
  info: 0x2563eb,
  warning: 0xd97706,
  critical: 0xdc2626,
  resolved: 0x16a34a,
};
const hexColor = (severity: Message['severity']): string =>
  `#${colors[severity].toString(16).padStart(6, '0')}`;

const LINK_TEXT = 'Open in the console';

/**
 * Slack and Mattermost: one attachment, which both understand. `&`, `<` and `>` are the signs of Slack's own markup.
 * @see https://docs.slack.dev/messaging/formatting-message-text#escaping
 * @see https://developers.mattermost.com/integrate/reference/message-attachments/
 */
export function slackMessage({ title, severity, facts, link }: Message): object {
  const escaped = (text: string): string =>
    harmless(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    text: escaped(title),
    attachments: [
      {
        fallback: escaped(title),
        color: hexColor(severity),
        fields: facts.map(({ label, value }) => ({ title: label, value: escaped(value), short: true })),
        title: LINK_TEXT,
        title_link: link,
        mrkdwn_in: [],
      },
    ],
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

const EMBED_TITLE_MAX = 256;
const EMBED_VALUE_MAX = 1_024;

/**
 * Discord: one embed. `allowed_mentions` keeps it from notifying anybody, whatever the text says.
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
export function discordMessage({ title, severity, facts, link }: Message): object {
  const escaped = (text: string): string => harmless(text).replace(/[\\*_~`|>#[\]()<-]/g, '\\$&');
  return {
    embeds: [
      {
        title: shortened(escaped(title), EMBED_TITLE_MAX),
        url: link,
        color: colors[severity],
        fields: facts.map(({ label, value }) => ({
          name: label,
          value: shortened(escaped(value), EMBED_VALUE_MAX),
          inline: true,
        })),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

const cardColors: Readonly<Record<Message['severity'], string>> = {
  info: 'accent',
  warning: 'warning',
  critical: 'attention',
  resolved: 'good',
};

/**
 * Teams: an Adaptive Card of text runs, which take no Markdown.
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 * @see https://adaptivecards.io/explorer/TextRun.html
 */
export function teamsMessage({ title, severity, facts, link }: Message): object {
  const run = (text: string, style: object = {}) => ({ type: 'TextRun', text, ...style });
  const line = (...inlines: readonly object[]) => ({ type: 'RichTextBlock', inlines });
  const heading = { weight: 'bolder', size: 'medium', color: cardColors[severity] };
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            line(run(harmless(title), heading)),
            ...facts.map(({ label, value }) =>
              line(run(`${label}: `, { weight: 'bolder' }), run(harmless(value))),
            ),
          ],
          actions: [{ type: 'Action.OpenUrl', title: LINK_TEXT, url: link }],
        },
      },
    ],
  };
}

import { type MessageKind } from '../configuration/integration-kinds';
import { messageOf } from '../messages/message';
import { type IntegrationNotice } from '../messages/notice';
import { discordMessage, slackMessage, teamsMessage } from './chat-messages';
import { mailMessage } from './mail-message';
import { pagerDutyEvent } from './pagerduty-event';

/**
 * The body of a message in the form of its service, as JSON (docs/reference/integrations.md#what-is-sent). It holds no
 * secret of the integration, and {@link withConsoleLinks} completes its links.
 */
export function renderMessage(kind: MessageKind, notice: IntegrationNotice): string {
  const message = messageOf(notice);
  switch (kind) {
    case 'slack':
      return JSON.stringify(slackMessage(message));
    case 'discord':
      return JSON.stringify(discordMessage(message));
    case 'teams':
      return JSON.stringify(teamsMessage(message));
    case 'pagerduty':
      return JSON.stringify(pagerDutyEvent(notice, message));
    case 'email':
      return JSON.stringify(mailMessage(message));
  }
}

"""Prints the mails of a Maildir as JSON, the oldest first, as the e-mail package of Python reads them."""

import email.policy
import json
import mailbox
import re
import sys

FIELDS = {
    "messageId": "Message-ID",
    "from": "From",
    "to": "To",
    "subject": "Subject",
    "date": "Date",
    # What the server heard in the SMTP session.
    "sender": "X-MailFrom",
    "recipients": "X-RcptTo",
}


def shown(file):
    mail = email.message_from_binary_file(file, policy=email.policy.default)
    defects = [repr(defect) for part in mail.walk() for defect in part.defects]
    defects += [repr(defect) for value in mail.values() for defect in value.defects]
    fields = {name: mail[header] and str(mail[header]) for name, header in FIELDS.items()}
    return {**fields, "text": mail.get_content(), "defects": defects}


def age(key):
    """A name begins with seconds and microseconds, which are not padded: `1764232000.M5P7Q1.host`."""
    return [int(number) for number in re.findall(r"\d+", key)]


mails = mailbox.Maildir(sys.argv[1], factory=shown, create=False)
print(json.dumps([mails[key] for key in sorted(mails.keys(), key=age)]))

// What an agent asks leave for, and the buttons that answer it. The agent's words are shown as plain text.

import { ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import type { AgentState, PermissionAnswer } from '../../../shared/index.ts'
import { messageOf } from '../../state/message-of.ts'
import { Button } from '../../ui/button.tsx'
import styles from './permission-question.module.css'

const WORDS: Record<PermissionAnswer, string> = {
  'allow-once': 'Allow once',
  'allow-run': 'Allow for this run',
  reject: 'Reject',
}

interface PermissionQuestionProps {
  question: NonNullable<AgentState['permission']>
  answer: (answer: PermissionAnswer, request: string) => Promise<void> | undefined
}

/** Stays until the run's events say that the question is answered. */
export function PermissionQuestion({ question, answer }: PermissionQuestionProps) {
  const [sent, setSent] = useState(false)
  const [error, setError] = useState<string>()
  const send = (choice: PermissionAnswer): void => {
    setSent(true)
    setError(undefined)
    answer(choice, question.request)?.catch((reason: unknown) => {
      setSent(false)
      setError(messageOf(reason))
    })
  }
  return (
    <div className={styles['question']} role="group" aria-label="Permission request">
      <p className={styles['title']}>
        <ShieldQuestion size={15} aria-hidden /> {question.title}
      </p>
      {question.detail !== undefined && <pre className={styles['detail']}>{question.detail}</pre>}
      <div className={styles['buttons']}>
        {question.options.map((option) => (
          <Button
            key={option}
            look={option === 'allow-once' ? 'primary' : 'outlined'}
            disabled={sent}
            onClick={() => send(option)}
          >
            {WORDS[option]}
          </Button>
        ))}
      </div>
      {error !== undefined && (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

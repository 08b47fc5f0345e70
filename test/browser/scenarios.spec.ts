import { describeScenarios } from '../support/scenarios/describe-scenarios.ts'

describeScenarios()

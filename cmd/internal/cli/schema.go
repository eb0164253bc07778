package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/checkrow/checkrow/reporters/events"
	"github.com/checkrow/checkrow/reporters/jsonreport"
	"github.com/checkrow/checkrow/runner/journal"
	"github.com/checkrow/checkrow/runner/standard"
	"github.com/checkrow/checkrow/spec"
	"github.com/checkrow/checkrow/steps"
	"github.com/checkrow/checkrow/steps/argv"
)

func (a *app) schemaCmd() *cobra.Command {
	var report, project bool
	c := &cobra.Command{Use: "schema [events|journal]", Short: "the JSON Schema of suites, of checkrow.yaml, report.json, events or the journal", Args: atMostOne,
		ValidArgs: []string{"events", "journal"},
		Long: `schema prints the JSON Schema of suites and fragments, made from the tables that
check them. An editor uses it through the first line of a suite:

  # yaml-language-server: $schema=./checkrow.schema.json`,
		Example: "  checkrow schema > checkrow.schema.json\n  checkrow schema --report > report.schema.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] != "events" && args[0] != "journal" {
				return usagef("checkrow schema knows no %q%s", args[0], suggest(args[0], []string{"events", "journal"}))
			}
			if len(args) > 0 && (report || project) {
				return usagef("checkrow schema prints one schema: events, journal, --report or --project")
			}
			if len(args) > 0 {
				s := events.Schema()
				if args[0] == "journal" {
					s["title"], s["description"] = "checkrow journal, version 1: one line of it", journal.Format
				}
				return a.printJSON(s)
			}
			if report {
				a.printf("%s\n", strings.TrimRight(string(jsonreport.Schema), "\n"))
				return nil
			}
			build := suiteSchema
			if project {
				build = projectSchema
			}
			s, err := build(standard.Kinds())
			if err != nil {
				return err
			}
			return a.printJSON(s)
		}}
	c.Flags().BoolVar(&project, "project", false, "print the schema of checkrow.yaml")
	c.Flags().BoolVar(&report, "report", false, "print the schema of report.json")
	return c
}

// object is a piece of JSON Schema.
type object = map[string]any

// ref points at a definition.
func ref(name string) object { return object{"$ref": "#/definitions/" + name} }

// suiteSchema builds the schema of suite files, draft-07: the newest that YAML editors understand. It is looser than
// check, which alone knows names, types of expressions and targets.
func suiteSchema(kinds []steps.Kind) (object, error) {
	b := &schemaBuilder{}
	scalar := object{"type": []string{"string", "number", "boolean", "null"}}
	out := object{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       "checkrow suite",
		"description": "A suite or fragment of checkrow.",
		"if":          object{"required": []string{"fragment"}},
		"then":        b.object(spec.FragmentKeys, map[string]object{"inputs": b.mapOf(b.input())}),
		"else":        b.suite(),
		"definitions": object{
			"scalar": scalar,
			"row":    rowSchema(),
			"step":   b.step(kinds),
			"steps":  object{"type": "array", "minItems": 1, "items": ref("step")},
		},
	}
	maps.Copy(out["definitions"].(object), scalarSchemas())
	return out, b.err
}

// schemaBuilder turns key tables into schema objects and keeps the first word that it does not know.
type schemaBuilder struct{ err error }

func (b *schemaBuilder) suite() object {
	timeouts := b.object(spec.TimeoutKeys, nil)
	browser := browserSchema(b.object(spec.BrowserKeys, nil))
	service := b.service()
	test := b.object(spec.TestKeys, map[string]object{"browser": browser, "timeouts": timeouts, "dismiss": b.dismiss(),
		"artifacts": b.wantedFiles(), "outputs": b.mapOf(ref("expr"))})
	return b.object(spec.SuiteKeys, map[string]object{
		"browser": browser, "timeouts": timeouts, "services": b.mapOf(service),
		"sessions": b.sessions(), "dismiss": b.dismiss(),
		"tests": {"type": "array", "minItems": 1, "items": test},
	})
}

// input is a declared input of a fragment: the name of a type, or a map.
func (b *schemaBuilder) input() object {
	return object{"anyOf": []object{{"enum": spec.InputTypes}, b.object(spec.InputKeys, nil)}}
}

func (b *schemaBuilder) mapOf(value object) object {
	return object{"type": "object", "additionalProperties": value}
}

// object is a map with the keys of a table. nested gives the schema of keys whose value is a map or list of its own.
func (b *schemaBuilder) object(keys []spec.Key, nested map[string]object) object {
	required := []string{}
	for _, k := range keys {
		if k.Required {
			required = append(required, k.Name)
		}
	}
	props, patterns, conflicts := object{}, object{}, []object{}
	for _, k := range keys {
		if k.Later || excludesAny(k, required) {
			continue // not built, or not possible beside a key that must be there
		}
		value := b.value(k)
		if n, ok := nested[k.Name]; ok {
			value = described(n, k)
		}
		if mayBeEmpty[k.Name] {
			value = orNothing(value)
		}
		if prefix, ok := strings.CutSuffix(k.Name, "*"); ok {
			patterns["^"+prefix] = value
			continue
		}
		props[k.Name] = value
		for _, other := range k.Excludes {
			pair := []string{k.Name, other}
			slices.Sort(pair)
			conflict := object{"not": object{"required": pair}}
			if !slices.ContainsFunc(conflicts, func(c object) bool { return fmt.Sprint(c) == fmt.Sprint(conflict) }) {
				conflicts = append(conflicts, conflict)
			}
		}
	}
	out := object{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	if len(patterns) > 0 {
		out["patternProperties"] = patterns
	}
	if len(conflicts) > 0 {
		out["allOf"] = conflicts
	}
	return out
}

func excludesAny(k spec.Key, required []string) bool {
	return !k.Required && slices.ContainsFunc(k.Excludes, func(x string) bool { return slices.Contains(required, x) })
}

// value is the schema of a key by the word for its type.
func (b *schemaBuilder) value(k spec.Key) object {
	word, ok := schemaWords[k.Type]
	if !ok && b.err == nil {
		b.err = fmt.Errorf("key %q has type %q, which the schema does not know", k.Name, k.Type)
	}
	if !ok {
		return object{}
	}
	s := word()
	if len(k.Keys) > 0 {
		s = b.object(k.Keys, nil)
	}
	if len(k.Keys) > 0 && k.Type == "list" {
		s = object{"type": "array", "items": s}
	}
	return described(s, k)
}

// schemaWords are the words of spec.Key.Type.
var schemaWords = map[string]func() object{
	"text":     func() object { return ref("text") },
	"expr":     func() object { return ref("expr") },
	"bool":     func() object { return object{"type": "boolean"} },
	"int":      func() object { return object{"type": "integer", "minimum": 0} },
	"number":   func() object { return object{"type": "number", "exclusiveMinimum": 0} },
	"duration": func() object { return ref("duration") },
	"list":     func() object { return object{"type": "array"} },
	"map":      func() object { return object{"type": "object"} },
	"texts":    func() object { return object{"type": "array", "items": ref("text")} },
	"text or texts": func() object {
		return object{"anyOf": []object{ref("text"), {"type": "array", "minItems": 1, "items": ref("text")}}}
	},
	"names": func() object {
		return object{"type": "array", "minItems": 1, "uniqueItems": true, "items": ref("text")}
	},
	"map of text": func() object { return object{"type": "object", "additionalProperties": ref("text")} },
	"map of texts": func() object {
		list := object{"type": "array", "items": ref("text")}
		return object{"type": "object", "additionalProperties": object{"anyOf": []object{ref("text"), list}}}
	},
	"map of expr": func() object { return object{"type": "object", "additionalProperties": ref("expr")} },
	"set":         setSchema,
	"row":         func() object { return ref("row") },
	"rows":        func() object { return object{"type": "array", "minItems": 1, "items": ref("row")} },
	"steps":       func() object { return ref("steps") },
	"any":         func() object { return object{} },
	"resume":      func() object { return object{"enum": spec.ResumeModes} },
	"matrix":      matrixSchema,
	"each":        eachSchema,
	"health":      ruleSchema,
	"capture":     captureSchema,
	"brand":       brandSchema,
	"address":     addressSchema,
	"hosts":       hostsSchema, "hosts or none": anyHostsSchema, "schemes": schemesSchema, "switches": switchesSchema,
	"retry": retrySchema,
}

// described adds the words of a key to its schema. Beside a $ref draft-07 ignores them, so that one is wrapped.
func described(s object, k spec.Key) object {
	if k.Doc == "" && k.Default == "" {
		return s
	}
	out := object{}
	if _, isRef := s["$ref"]; isRef {
		out["allOf"] = []object{s}
	} else {
		for name, v := range s {
			out[name] = v
		}
	}
	doc := k.Doc
	if k.Default != "" {
		doc = strings.TrimSpace(doc + " Default: " + k.Default + ".")
	}
	out["description"] = doc
	return out
}

// step is a row, or a map of one of the kinds with the keys that all steps share.
func (b *schemaBuilder) step(kinds []steps.Kind) object {
	forms := []object{ref("row")}
	expects := object{"anyOf": []object{ref("expr"), {"type": "array", "minItems": 1, "items": ref("expr")}}}
	for _, k := range kinds {
		keys := slices.Clone(k.Keys)
		for _, c := range steps.CommonKeys {
			if !slices.ContainsFunc(keys, func(have spec.Key) bool { return have.Name == c.Name }) {
				keys = append(keys, c)
			}
		}
		s := b.object(keys, map[string]object{"expect": expects, "scope": scopeSchema()})
		required, _ := s["required"].([]string)
		if !slices.Contains(required, k.Name) {
			s["required"] = append(slices.Clone(required), k.Name)
		}
		s["description"] = k.Doc
		forms = append(forms, s)
	}
	return object{"anyOf": forms}
}

// rowSchema is a list of scalars whose first is the first word of a command.
func rowSchema() object {
	docs := map[string][]string{}
	for _, c := range argv.Commands() {
		for _, words := range append([][]string{c.Words}, c.Aliases...) {
			docs[words[0]] = append(docs[words[0]], commandUsage(c)+": "+c.Doc)
		}
	}
	var first []object
	for _, word := range slices.Sorted(maps.Keys(docs)) {
		first = append(first, object{"const": word, "description": strings.Join(docs[word], "\n")})
	}
	return object{"type": "array", "minItems": 1, "items": []object{{"anyOf": first}}, "additionalItems": ref("scalar")}
}

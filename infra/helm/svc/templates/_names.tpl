{{- define "svc.image" -}}
{{- $root := index . 0 -}}
{{- printf "%s/%s:%s" $root.Values.image.registry (index . 1) ($root.Values.image.tag | default $root.Chart.AppVersion) | quote -}}
{{- end -}}

{{- define "svc.host" -}}
{{- (urlParse .Values.baseUrl).hostname -}}
{{- end -}}

{{- define "svc.blocks" -}}
{{- range . }}
- ipBlock:
    cidr: {{ . }}
{{- end }}
{{- end -}}

{{- define "svc.catalog" -}}
{{- .Values.catalog | default (dict "catalog.yaml" (.Files.Get "files/catalog.yaml")) | toJson -}}
{{- end -}}

{{- define "svc.proxy" -}}
{{- dict "svc.conf.template" (.Files.Get "files/svc.conf.template") | toJson -}}
{{- end -}}

{{/* A name that is new when the content is, which rolls what mounts it on: the same as kustomize makes (of no name). */}}
{{- define "svc.hashed" -}}
{{- $content := dict "kind" "ConfigMap" "name" "" "data" .data | toJson | sha256sum | trunc 10 -}}
{{- $hash := $content | replace "0" "g" | replace "1" "h" | replace "3" "k" | replace "a" "m" | replace "e" "t" -}}
{{- printf "%s-%s" .name $hash -}}
{{- end -}}

{{- define "svc.catalogName" -}}
{{- include "svc.hashed" (dict "name" "catalog" "data" (include "svc.catalog" . | fromJson)) -}}
{{- end -}}

{{- define "svc.proxyName" -}}
{{- include "svc.hashed" (dict "name" "proxy" "data" (include "svc.proxy" . | fromJson)) -}}
{{- end -}}
